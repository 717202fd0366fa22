import { CheckCircleFilled, CloseOutlined } from '@ant-design/icons'
import type { BriefingDetail } from '@zhugong/contract/briefings/calls'
import { signGangBriefing, signManagerBriefing } from '@zhugong/contract/briefings/seats'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { Card } from '#kit/feedback.tsx'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { useMe } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { SignaturePad } from '#kit/signature-pad.tsx'
import { uid } from '#kit/uid.ts'
import { deviceName } from './device-name.ts'
import { Points, SpeakButton } from './speak.tsx'

interface Place {
  seat: string
  name: string
  role: string
  unit: string
}

/** Who can still sign here on this device, whoever briefs first and the gang after him. */
export function openPlaces(file: BriefingDetail, own: string): Place[] {
  const receivers = new Map(file.receivers.map((one) => [one.id, one]))
  return file.signatures.flatMap((one): Place[] => {
    if (one.state !== 'waiting' || !one.expects || !(one.tablet || (one.own && one.expects === own))) return []
    const receiver = receivers.get(one.seat)
    return [{ seat: one.seat, name: one.expects, role: receiver?.role ?? one.role, unit: receiver?.unit ?? '' }]
  })
}

/** The whole screen for one person at a time: his name, what he was told, and a place to sign. */
export function SignMode({ file, onClose }: { file: BriefingDetail; onClose: () => void }) {
  const own = useMe((me) => me.info?.name ?? '')
  // What waits on the device is signed for whoever holds it.
  const [kept, setKept] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<string>()
  const open = openPlaces(file, own).filter((one) => !kept.includes(one.seat))
  const current = open.find((one) => one.seat === chosen) ?? open[0]
  const whole = file.signatures.filter((one) => one.state !== 'void').length
  return (
    <PageDrawer
      open
      size="100%"
      closable={false}
      rootClassName="zg-drawer briefing-sign-mode"
      title={`签字：${file.name}`}
      onClose={onClose}
      extra={
        <span className="zg-row zg-wrap zg-gap-6 zg-middle">
          <span className="zg-num">
            还有 {open.length} 人，共 {whole} 人
          </span>
          <SpeakButton content={file.content} large />
          <Button size="large" icon={<CloseOutlined />} onClick={onClose}>
            退出签字
          </Button>
        </span>
      }
    >
      <div className="briefing-sign-body">
        <Card title="交底内容" className="told" scrolls>
          <Points content={file.content} />
        </Card>
        {current ? (
          <One
            key={current.seat}
            file={file}
            place={current}
            onSigned={() => {
              setKept([...kept, current.seat])
              setChosen(undefined)
            }}
          />
        ) : (
          <section className="done">
            <CheckCircleFilled className="tone-fine" />
            <p>能在这台设备上签字的人都已签字</p>
            <Button type="primary" size="large" onClick={onClose}>
              返回交底
            </Button>
          </section>
        )}
        <nav aria-label="待签字人员">
          {open.map((one) => (
            <button
              key={one.seat}
              type="button"
              aria-current={one.seat === current?.seat ? 'true' : undefined}
              onClick={() => setChosen(one.seat)}
            >
              <b>{one.name}</b>
              <span>{one.role}</span>
            </button>
          ))}
        </nav>
      </div>
    </PageDrawer>
  )
}

function One({ file, place, onSigned }: { file: BriefingDetail; place: Place; onSigned: () => void }) {
  const own = useMe((me) => me.info?.name ?? '')
  const [image, setImage] = useState<string>()
  const [missing, setMissing] = useState(false)
  // Sent again after a broken connection, it is written once.
  const id = useRef(uid())
  const call = file.type === 'technical' ? signManagerBriefing : signGangBriefing
  const act = useFieldAct(call, { success: `${place.name}已签字`, onDone: onSigned, onKept: onSigned })
  const send = () => {
    if (!image) return setMissing(true)
    return void act.run(
      {
        params: { id: file.id },
        query: { projectCode: '*' },
        body: {
          action: 'sign',
          id: id.current,
          seat: place.seat,
          name: place.name === own ? null : place.name,
          phone: null,
          place: null,
          device: deviceName(),
          drawnAt: Date.now(),
          image,
        },
      },
      { id: id.current, title: `交底签字 ${place.name}`, page: '/safetyP/technical/list', lines: [{ label: '交底', text: file.name }] },
    )
  }
  return (
    <section className="one" aria-label={`${place.name}签字`}>
      <p className="who">
        <b>{place.name}</b>
        <span>{[place.role, place.unit].filter(Boolean).join(' · ')}</span>
      </p>
      <p className="zg-2">本人已听清以上交底内容，承诺按要求作业。</p>
      <SignaturePad
        onChange={(png) => {
          setImage(png)
          setMissing(false)
        }}
        problem={missing ? '请本人先签名' : act.fieldErrors.image}
      />
      <Button type="primary" size="large" block loading={act.running} onClick={send}>
        确认签字
      </Button>
    </section>
  )
}

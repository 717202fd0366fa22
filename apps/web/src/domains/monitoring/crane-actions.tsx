import { SoundOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { commandResults, warnTextMax } from '@zhugong/contract/telemetry/commands'
import { type towerDevice, towerVideo } from '@zhugong/contract/telemetry/endpoints'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Input, Tooltip } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, Notice } from '#kit/feedback.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { shortName } from './crane-state.ts'
import { CraneZones } from './crane-zones.tsx'
import type { Desk } from './family-monitor.tsx'
import { MonitorActions } from './monitor-actions.tsx'
import './family.css'

type File = OutputFor<typeof towerDevice>

/** Saying something into the cabin, the hook's picture, how the cranes stand to each other, working on one. */
export function CraneActions({ desk, file }: { desk: Desk; file: File | undefined }) {
  const [asking, setAsking] = useState<'warn' | 'check' | 'zones'>()
  const mayWarn = useCan('tower-crane.warn')
  const mayWatch = useCan('tower-crane.video')
  const video = useCall(towerVideo, { query: { id: desk.selected } }, { quiet: true, enabled: mayWatch, staleMs: 300_000 })
  const own = file?.deviceId === desk.selected ? file : undefined
  const refused = own?.warnRefused ?? (desk.device?.online === false ? '塔机离线，喊话不能送达' : undefined)
  const close = () => setAsking(undefined)
  return (
    <>
      <MonitorActions
        desk={desk}
        service={{ label: '报维护（顶升、拆除）', kind: 'jacking' }}
        more={[
          {
            label: '吊钩视频',
            needs: 'tower-crane.video',
            href: hrefOf('/tower/playing', { deviceId: desk.selected }),
            disabled: video.data?.cameras.length === 0 && '该塔机未绑定摄像机',
          },
          { label: '禁吊区', onClick: () => setAsking('zones') },
          { label: `静态校核 ${file?.staticCheck.length ?? 0} 项`, onClick: () => setAsking('check') },
        ]}
      >
        {mayWarn && (
          <Tooltip title={refused}>
            <Button icon={<SoundOutlined />} disabled={Boolean(refused)} onClick={() => setAsking('warn')}>
              司机提醒
            </Button>
          </Tooltip>
        )}
      </MonitorActions>
      {asking === 'warn' && <Warn desk={desk} onClose={close} />}
      {asking === 'zones' && <CraneZones projectCode={desk.projectCode} site={desk.site} onClose={close} />}
      {asking === 'check' && <StaticCheck file={file} onClose={close} />}
    </>
  )
}

const usualTexts = ['力矩接近限值，请减载', '注意邻塔，放慢回转', '风速偏大，请停止起吊']

function Warn({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const [text, setText] = useState('')
  const [reply, setReply] = useState<{ text: string; done: boolean }>()
  const act = useAct(sendCommand, {
    success: false,
    onDone: ({ result, message }) =>
      setReply({
        text: result === commandResults.done ? `驾驶室已应答：${message || '已播报'}` : message || '驾驶室没有应答',
        done: result === commandResults.done,
      }),
  })
  const name = shortName(desk.device?.name ?? '')
  return (
    <PageModal
      open
      width={440}
      title={`向 ${name} 驾驶室喊话`}
      okText={reply ? '再发一次' : '播报'}
      cancelText="关闭"
      okButtonProps={{ disabled: text.trim() === '', loading: act.running }}
      onOk={() => {
        setReply(undefined)
        void act.run({ params: { id: desk.selected }, body: { cmd: 'crane.warn', params: { text: text.trim() }, expireSeconds: 30 } })
      }}
      onCancel={onClose}
    >
      <label htmlFor="crane-warn">喊话内容（最多 {warnTextMax} 个字，播报一句话，不控制机械动作）</label>
      <Input id="crane-warn" value={text} maxLength={warnTextMax} showCount onChange={(event) => setText(event.target.value)} />
      <div className="fam-acts">
        {usualTexts.map((one) => (
          <Button key={one} size="small" onClick={() => setText(one)}>
            {one}
          </Button>
        ))}
      </div>
      {reply && <Notice tone={reply.done ? 'fine' : 'warning'}>{reply.text}</Notice>}
    </PageModal>
  )
}

/** How the cranes stand to each other whatever they do: GB 5144 asks for 2 m. */
function StaticCheck({ file, onClose }: { file: File | undefined; onClose: () => void }) {
  const found = file?.staticCheck ?? []
  return (
    <PageModal open width={520} title="群塔静态校核" footer={null} onCancel={onClose}>
      <p className="zg-2">
        按档案中的坐标、臂长与高度校核 {file?.cranes.length ?? 0} 台塔机：臂端与邻塔塔身、上下两臂之间不小于 2 m（GB 5144）。
      </p>
      {found.length === 0 ? (
        <Empty small text="没有不满足的塔机对" hint="改动坐标、臂长或高度后自动重新校核" />
      ) : (
        <ul>
          {found.map((one) => (
            <li key={`${one.a}${one.b}${one.kind}`} className="tone-danger">
              {one.text}
            </li>
          ))}
        </ul>
      )}
    </PageModal>
  )
}

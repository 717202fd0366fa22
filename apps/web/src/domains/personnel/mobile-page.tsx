import { CameraOutlined, CheckCircleFilled, CloseCircleFilled, LoadingOutlined, WifiOutlined } from '@ant-design/icons'
import { checkIdCard, checkMobile, checkName, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { normalPhone } from '@zhugong/contract/kit/normal'
import { registerWorker, workerForm } from '@zhugong/contract/personnel/workers'
import { Button, Checkbox, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel, Forbidden, Notice } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { useGo } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import type { Draft } from './mobile-drafts.ts'
import { mobileDrafts } from './mobile-send.ts'
import { PasteBox } from './paste-box.tsx'
import type { ReadPerson } from './reader-text.ts'
import './mobile.css'

/** Registration at the gate on a phone, for the labour officer: one person after another, also offline. */
export default function MobilePage() {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="登记的人员进入哪个项目" />
  return (
    <Can call={registerWorker} fallback={<Forbidden code="personnel.create" />}>
      <Gate projectCode={projectCode} />
    </Can>
  )
}

interface Place {
  corpCode?: string | undefined
  teamId?: string | undefined
  workType?: string | undefined
}
type Person = ReadPerson & Pick<Draft, 'consentPersonal' | 'consentFace' | 'idPhoto' | 'facePhoto'>
const nobody: Person = { consentPersonal: false, consentFace: false }

function Gate({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const dicts = useDicts('nation')
  const form = useCall(workerForm, { query: { projectCode } }, { quiet: true, staleMs: 300_000 })
  const drafts = useStore(mobileDrafts.store, (s) => s.drafts)
  const [place, setPlace] = useState<Place>({})
  const [person, setPerson] = useState<Person>(nobody)
  const [key, setKey] = useState(() => uid())
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const online = useOnline()
  useGuard()
  const waiting = drafts.filter((d) => d.state === 'waiting' || d.state === 'sending').length
  const set = (change: Partial<Person>) => {
    setPerson((now) => ({ ...now, ...change }))
    setFaults({})
  }
  const submit = () => {
    const found = faultsOf(person, place)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const nation = dicts.items('nation').find((n) => n.name.replace(/族$/, '') === person.nation || n.code === person.nation)?.code
    const { nation: _said, ...rest } = person
    void mobileDrafts.add({
      ...rest,
      nation: nation || undefined,
      idCardNumber: normalizeIdCard(person.idCardNumber ?? ''),
      key,
      place: { projectCode, corpCode: place.corpCode ?? '', teamId: place.teamId ?? '', workType: place.workType ?? '' },
    })
    setPerson(nobody)
    setKey(uid())
    window.scrollTo({ top: 0 })
  }
  const mend = (d: Draft) => {
    const { key: own, place: at, state: _state, message: _message, ...rest } = d
    setPerson(rest)
    setPlace(at)
    setKey(own)
    mobileDrafts.remove(own)
  }
  if (form.error && !form.data) return <ErrorPanel error={form.error} retry={form.refetch} />
  return (
    <main className="per-mobile">
      <header>
        <button type="button" className="zg-bare" onClick={() => go('/personList')}>
          返回
        </button>
        <div>
          <h1>现场登记</h1>
          <div>{form.data?.projectName}</div>
        </div>
        <span className={online ? 'net' : 'net off'}>
          <WifiOutlined /> {online ? (waiting ? `提交中 ${waiting}` : '在线') : `离线，${waiting} 人待提交`}
        </span>
      </header>
      <PlaceCard corps={form.data?.corps ?? []} teams={form.data?.teams ?? []} place={place} onChange={setPlace} faults={faults} />
      <PersonCard person={person} set={set} faults={faults} />
      <PhotoCard person={person} set={set} faults={faults} />
      <Button type="primary" size="large" block onClick={submit}>
        登记并录下一人
      </Button>
      <DraftList drafts={drafts} onMend={mend} />
      <p className="note">未提交的登记只在本页内存里，断网不丢，关闭浏览器会丢失；人员资料不写入手机。</p>
    </main>
  )
}

function faultsOf(p: Person, place: Place): Record<string, string> {
  const number = normalizeIdCard(p.idCardNumber ?? '')
  const all: Record<string, string | undefined> = {
    corpCode: place.corpCode ? undefined : '请选择单位',
    teamId: place.teamId ? undefined : '请选择班组',
    workType: place.workType ? undefined : '请选择工种',
    name: p.name?.trim() ? checkName(p.name) : '请填写姓名',
    idCardNumber: number ? checkIdCard(number) : '请填写证件号码',
    cellPhone: p.cellPhone ? checkMobile(normalPhone(p.cellPhone)) : undefined,
    consentPersonal: p.consentPersonal ? undefined : '须本人同意个人信息处理后才能登记',
    facePhoto: p.facePhoto && !p.consentFace ? '本人未同意人脸采集，不能保存现场照片' : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

function useOnline(): boolean {
  const [online, setOnline] = useState(() => navigator.onLine)
  useEffect(() => {
    const change = () => {
      setOnline(navigator.onLine)
      if (navigator.onLine) void mobileDrafts.flush()
    }
    window.addEventListener('online', change)
    window.addEventListener('offline', change)
    // The browser reports a lost network, not an unreachable server, so retry periodically.
    const timer = setInterval(() => navigator.onLine && void mobileDrafts.flush(), 15_000)
    return () => {
      window.removeEventListener('online', change)
      window.removeEventListener('offline', change)
      clearInterval(timer)
    }
  }, [])
  return online
}

/** Asks before closing the tab with unsent drafts. */
function useGuard(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => mobileDrafts.holds() && event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}

function Fault({ text }: { text: string | undefined }) {
  return text ? (
    <div role="alert" className="tone-danger">
      {text}
    </div>
  ) : null
}

function PlaceCard({
  corps,
  teams,
  place,
  onChange,
  faults,
}: {
  corps: readonly { corpCode: string; corpName: string }[]
  teams: readonly { id: string; teamName: string; corpCode: string; workType: string }[]
  place: Place
  onChange: (place: Place) => void
  faults: Readonly<Record<string, string>>
}) {
  const dicts = useDicts('workerType')
  return (
    <section>
      <h2>单位、班组、工种（带到下一人）</h2>
      <Choice
        aria-label="单位"
        placeholder="单位"
        value={place.corpCode ?? null}
        options={corps.map((c) => ({ value: c.corpCode, label: c.corpName }))}
        onChange={(corpCode) => onChange({ corpCode })}
      />
      <Fault text={faults.corpCode} />
      <Choice
        aria-label="班组"
        placeholder={place.corpCode ? '班组' : '先选单位'}
        value={place.teamId ?? null}
        options={teams.filter((t) => t.corpCode === place.corpCode).map((t) => ({ value: t.id, label: t.teamName }))}
        onChange={(teamId) => onChange({ ...place, teamId, workType: place.workType ?? teams.find((t) => t.id === teamId)?.workType })}
      />
      <Fault text={faults.teamId} />
      <Choice
        aria-label="工种"
        placeholder="工种"
        value={place.workType ?? null}
        options={dicts.options('workerType')}
        onChange={(workType) => onChange({ ...place, workType })}
      />
      <Fault text={faults.workType} />
    </section>
  )
}

interface Part {
  person: Person
  set: (change: Partial<Person>) => void
  faults: Readonly<Record<string, string>>
}

function PersonCard({ person, set, faults }: Part) {
  return (
    <section>
      <h2>本人</h2>
      <PasteBox onRead={set} />
      <label htmlFor="mobile-field-0">
        姓名
        <Input id="mobile-field-0" size="large" maxLength={50} value={person.name ?? ''} onChange={(e) => set({ name: e.target.value })} />
      </label>
      <Fault text={faults.name} />
      <label htmlFor="mobile-field-1">
        身份证号码
        <Input
          id="mobile-field-1"
          size="large"
          maxLength={18}
          autoCapitalize="characters"
          value={person.idCardNumber ?? ''}
          onChange={(e) => set({ idCardNumber: e.target.value })}
        />
      </label>
      <Fault text={faults.idCardNumber} />
      <label htmlFor="mobile-field-2">
        手机（可后补）
        <Input
          id="mobile-field-2"
          size="large"
          inputMode="tel"
          maxLength={11}
          value={person.cellPhone ?? ''}
          onChange={(e) => set({ cellPhone: e.target.value })}
        />
      </label>
      <Fault text={faults.cellPhone} />
    </section>
  )
}

function PhotoCard({ person, set, faults }: Part) {
  return (
    <section>
      <h2>告知与照片</h2>
      <Checkbox checked={person.consentPersonal} onChange={(e) => set({ consentPersonal: e.target.checked })}>
        已告知本人登记哪些信息、用来做什么，本人同意
      </Checkbox>
      <Fault text={faults.consentPersonal} />
      <Photo label="拍身份证正面" file={person.idPhoto} camera="environment" onTake={(idPhoto) => set({ idPhoto })} />
      <Checkbox
        checked={person.consentFace}
        onChange={(e) => set({ consentFace: e.target.checked, ...(e.target.checked ? {} : { facePhoto: undefined }) })}
      >
        本人另行同意采集人脸用于门禁
      </Checkbox>
      {person.consentFace ? (
        <Photo label="拍本人照片" file={person.facePhoto} camera="user" onTake={(facePhoto) => set({ facePhoto })} />
      ) : (
        <Notice tone="info">不同意人脸也可以进场：用胸牌二维码或实名卡。</Notice>
      )}
      <Fault text={faults.facePhoto} />
    </section>
  )
}

function Photo({
  label,
  file,
  camera,
  onTake,
}: {
  label: string
  file: File | undefined
  camera: 'user' | 'environment'
  onTake: (file: File | undefined) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    if (!file) return setShown(undefined)
    const address = URL.createObjectURL(file)
    setShown(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  return (
    <div className="photo">
      {shown && <img src={shown} alt={label} />}
      <Button size="large" icon={<CameraOutlined />} onClick={() => input.current?.click()}>
        {file ? '重拍' : label}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture={camera}
        hidden
        aria-label={label}
        onChange={(event) => {
          onTake(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}

const stateIcons = {
  waiting: <WifiOutlined />,
  sending: <LoadingOutlined />,
  done: <CheckCircleFilled className="tone-fine" />,
  refused: <CloseCircleFilled className="tone-danger" />,
}
function DraftList({ drafts, onMend }: { drafts: readonly Draft[]; onMend: (draft: Draft) => void }) {
  if (drafts.length === 0) return null
  return (
    <section>
      <h2>本次已录 {drafts.length} 人</h2>
      <ul>
        {drafts.map((d) => (
          <li key={d.key}>
            {stateIcons[d.state]}
            <div>
              <b>{d.name}</b>
              <div className={d.state === 'refused' ? 'tone-danger' : 'zg-2'}>{d.message || '待提交'}</div>
            </div>
            {d.state === 'refused' && (
              <button type="button" className="zg-bare zg-link" onClick={() => onMend(d)}>
                修改
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

import { CameraOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { handInSelfEntry, lookSelfEntry, openSelfEntry, selfEntryCode } from '@zhugong/contract/personnel/self-entry'
import { Button, Checkbox, Input, Radio } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { call, useCall } from '#kit/call.ts'
import { DetailSkeleton, Notice, Pairs } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { CodeField } from './code-field.tsx'
import { faultsOf, OpenField, useSending } from './open-field.tsx'
import { smallPhoto } from './small-photo.ts'
import './open.css'

type Opened = OutputFor<typeof openSelfEntry>

/** Public page opened by a site's QR code: self-registration and its result. */
export default function JoinPage() {
  const key = decodeURIComponent(useLocation().hash.slice(1))
  const [receipt, setReceipt] = useState<string>()
  return (
    <main className="per-open">
      <h1>工人自助登记</h1>
      {receipt ? (
        <HandedIn receipt={receipt} onAgain={() => setReceipt(undefined)} />
      ) : key ? (
        <Site code={key} onDone={setReceipt} />
      ) : (
        <Notice tone="info">请用手机扫描工地门口的登记二维码。</Notice>
      )}
      <Result />
      <p className="note">
        已在场的工人：<Link to="/mine">查看我的考勤与合同</Link>
      </p>
    </main>
  )
}

function Site({ code, onDone }: { code: string; onDone: (receipt: string) => void }) {
  const { data, error } = useCall(openSelfEntry, { body: { key: code } }, { quiet: true, staleMs: 60_000 })
  if (error) return <Notice tone="danger">{error.message}</Notice>
  if (!data) return <DetailSkeleton />
  if (data.teams.length === 0) return <Notice tone="warning">{data.projectName}还没有在场班组，请找劳务员登记。</Notice>
  return <Entry code={code} site={data} onDone={onDone} />
}

interface Values {
  name: string
  idCardNumber: string
  cellPhone: string
  code: string
  teamId: string | undefined
  workType: string | undefined
  urgentLinkMan: string
  urgentLinkManPhone: string
  photo: string | null
  consentPersonal: boolean
  consentFace: boolean | undefined
}
const nobody: Values = {
  name: '',
  idCardNumber: '',
  cellPhone: '',
  code: '',
  teamId: undefined,
  workType: undefined,
  urgentLinkMan: '',
  urgentLinkManPhone: '',
  photo: null,
  consentPersonal: false,
  consentFace: undefined,
}

function Entry({ code, site, onDone }: { code: string; site: Opened; onDone: (receipt: string) => void }) {
  const [values, setValues] = useState(nobody)
  const { faults, setFaults, busy, send } = useSending()
  const set = (part: Partial<Values>) => {
    setValues((now) => ({ ...now, ...part }))
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => !(name in part))))
  }
  const body = () => {
    const { code: typed, teamId = '', ...rest } = values
    return { key: code, ...rest, teamId, ...(site.sms ? { code: typed } : {}) }
  }
  const handIn = async () => {
    const found = faultsOf(handInSelfEntry.schemas.body, body())
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const { teamId, workType, consentPersonal, consentFace } = values
    // The contract has checked this already; narrows the type.
    if (!teamId || !workType || !consentPersonal || consentFace === undefined) return
    const done = await send(() => call(handInSelfEntry, { body: { ...body(), teamId, workType, consentPersonal, consentFace } }))
    if (done) onDone(done.receipt)
  }
  const askCode = async () => {
    const request = { key: code, cellPhone: values.cellPhone }
    const found = faultsOf(selfEntryCode.schemas.body, request)
    setFaults(found)
    if (Object.keys(found).length > 0) return false
    return (await send(() => call(selfEntryCode, { body: request }))) !== undefined
  }
  const typed = (
    name: 'name' | 'idCardNumber' | 'cellPhone' | 'urgentLinkMan' | 'urgentLinkManPhone',
    label: string,
    more: object = {},
  ) => (
    <OpenField label={label} id={`join-${name}`} fault={faults[name]}>
      <Input id={`join-${name}`} value={values[name]} onChange={(event) => set({ [name]: event.target.value })} {...more} />
    </OpenField>
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void handIn()
      }}
    >
      <h2>{site.projectName}</h2>
      {typed('name', '姓名', { maxLength: 50, autoComplete: 'name' })}
      {typed('idCardNumber', '身份证号码', { maxLength: 18, autoCapitalize: 'characters', autoComplete: 'off' })}
      {typed('cellPhone', '本人手机', { maxLength: 11, inputMode: 'numeric', autoComplete: 'tel-national' })}
      {site.sms ? (
        <CodeField value={values.code} fault={faults.code} onChange={(next) => set({ code: next })} ask={askCode} />
      ) : (
        <p className="note">手机号由劳务员核对。</p>
      )}
      <OpenField label="班组" fault={faults.teamId}>
        <Choice
          aria-label="班组"
          placeholder="班组"
          value={values.teamId ?? null}
          options={site.teams.map((t) => ({ value: t.id, label: `${t.teamName}（${t.corpName}）` }))}
          onChange={(teamId) => set({ teamId, workType: values.workType ?? site.teams.find((t) => t.id === teamId)?.workType })}
        />
      </OpenField>
      <OpenField label="工种" fault={faults.workType}>
        <Choice
          aria-label="工种"
          placeholder="工种"
          value={values.workType ?? null}
          options={site.workTypes.map((t) => ({ value: t.code, label: t.name }))}
          onChange={(workType) => set({ workType })}
        />
      </OpenField>
      {typed('urgentLinkMan', '紧急联系人', { maxLength: 50 })}
      {typed('urgentLinkManPhone', '紧急联系人电话', { maxLength: 11, inputMode: 'numeric' })}
      <Consents values={values} set={set} faults={faults} />
      {faults[''] && <Notice tone="danger">{faults['']}</Notice>}
      <Button type="primary" htmlType="submit" size="large" block loading={busy}>
        提交登记
      </Button>
    </form>
  )
}

function Consents({
  values,
  set,
  faults,
}: {
  values: Values
  set: (part: Partial<Values>) => void
  faults: Readonly<Record<string, string>>
}) {
  return (
    <>
      <OpenField label="个人信息" fault={faults.consentPersonal}>
        <Checkbox checked={values.consentPersonal} onChange={(event) => set({ consentPersonal: event.target.checked })}>
          我已知道登记的信息用于实名用工、考勤和工资发放，同意处理
        </Checkbox>
      </OpenField>
      <OpenField label="人脸采集（用于门禁，可以不同意）" fault={faults.consentFace}>
        <Radio.Group
          value={values.consentFace}
          onChange={(event) => set({ consentFace: event.target.value as boolean, ...(event.target.value ? {} : { photo: null }) })}
          options={[
            { value: true, label: '同意' },
            { value: false, label: '不同意，凭胸牌进出' },
          ]}
        />
      </OpenField>
      {values.consentFace && <Portrait photo={values.photo} fault={faults.photo} onTake={(photo) => set({ photo })} />}
    </>
  )
}

function Portrait({ photo, fault, onTake }: { photo: string | null; fault: string | undefined; onTake: (photo: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [unread, setUnread] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file) return
    const small = await smallPhoto(file)
    setUnread(!small)
    if (small) onTake(small)
  }
  return (
    <OpenField label="本人正面照片" fault={fault ?? (unread ? '照片无法读取，请重拍' : undefined)}>
      {photo && <img className="face" src={`data:image/jpeg;base64,${photo}`} alt="本人照片" />}
      <Button icon={<CameraOutlined />} onClick={() => input.current?.click()}>
        {photo ? '重拍' : '拍照'}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="user"
        hidden
        aria-label="拍照"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </OpenField>
  )
}

function HandedIn({ receipt, onAgain }: { receipt: string; onAgain: () => void }) {
  return (
    <section>
      <p className="verdict fine" role="status">
        已提交，等待审核
        <span>回执号（请截图保存）</span>
        <b className="receipt">{receipt}</b>
      </p>
      <p className="note">带身份证原件到劳务办公室核对。审核结果在本页下方凭回执号查看。</p>
      <Button onClick={onAgain}>为下一人登记</Button>
    </section>
  )
}

const tones = { waiting: 'info', accepted: 'fine', returned: 'danger' } as const

/** Result of a self-registration, by receipt number. */
function Result() {
  const [receipt, setReceipt] = useState('')
  const [result, setResult] = useState<OutputFor<typeof lookSelfEntry>>()
  const { faults, setFaults, busy, send } = useSending()
  const look = async () => {
    const found = faultsOf(lookSelfEntry.schemas.body, { receipt })
    setFaults(found)
    setResult(undefined)
    if (Object.keys(found).length > 0) return
    setResult(await send(() => call(lookSelfEntry, { body: { receipt } })))
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void look()
      }}
    >
      <h2>查看审核结果</h2>
      <OpenField label="回执号" id="join-receipt" fault={faults.receipt ?? faults['']}>
        <div className="zg-row">
          <Input
            id="join-receipt"
            value={receipt}
            maxLength={12}
            autoCapitalize="characters"
            autoComplete="off"
            onChange={(event) => setReceipt(event.target.value)}
          />
          <Button htmlType="submit" loading={busy}>
            查看
          </Button>
        </div>
      </OpenField>
      {result && <EntryResult reported={result} />}
    </form>
  )
}

function EntryResult({ reported }: { reported: OutputFor<typeof lookSelfEntry> }) {
  const lines: { label: string; value: ReactNode }[] = [
    { label: '项目', value: reported.projectName },
    { label: '班组', value: reported.teamName ?? '--' },
    { label: '提交', value: reported.createTime.slice(0, 16) },
  ]
  if (reported.decidedTime) lines.push({ label: '审核', value: reported.decidedTime.slice(0, 16) })
  return (
    <>
      <Notice tone={tones[reported.state]}>
        {reported.stateName}
        {reported.reason && `：${reported.reason}`}
        {reported.state === 'returned' && '。请扫码重新登记，或找劳务员。'}
      </Notice>
      <Pairs items={lines} />
    </>
  )
}

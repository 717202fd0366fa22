import { changeTravel, issueTravel, type TravelStop, travelTargets } from '@zhugong/contract/documents/travel'
import { requirementNames, requirements } from '@zhugong/contract/documents/travel-moves'
import { Button, Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice, Choices, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import { acceptedFiles } from './document-words.tsx'
import './documents.css'

const query = { projectCode: '*' }
const maxMb = 500
const mostFiles = 20
const requirementOptions = Object.entries(requirementNames).map(([value, label]) => ({ value, label }))

function Field({ label, error, children }: { label: string; error?: string | undefined; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="doc-field" data-wrong={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {error && (
        <span className="tone-danger" role="alert">
          {error}
        </span>
      )}
    </div>
  )
}

/** The groups of the next level. */
function Targets({ value, onChange, error }: { value: string[]; onChange: (ids: string[]) => void; error?: string | undefined }) {
  const read = useCall(travelTargets, { query }, { quiet: true })
  const list = read.data?.list ?? []
  return (
    <Field label="下发单位（只到下一级）" error={error}>
      {(id) => (
        <>
          <Choices
            id={id}
            loading={read.isFetching}
            options={list.map((one) => ({ value: one.id, label: one.name }))}
            value={value}
            onChange={(next) => onChange(next ?? [])}
          />
          {list.length > 0 && (
            <Button size="small" onClick={() => onChange(list.map((one) => one.id))}>
              全选 {list.length} 个
            </Button>
          )}
          {read.data && list.length === 0 && <span className="zg-2">您的机构没有下一级单位</span>}
        </>
      )}
    </Field>
  )
}

export function IssueSheet({ onClose }: { onClose: () => void }) {
  const [id] = useState(uid)
  const [held, setHeld] = useState({
    title: '',
    requirement: requirements.fill as '1' | '2' | '3',
    content: '',
    required: '',
    deadline: undefined as string | undefined,
    files: [] as string[],
    to: [] as string[],
  })
  const act = useAct(issueTravel, { success: ({ recipients }) => `已下发 ${recipients} 个单位`, onDone: onClose })
  const set = (more: Partial<typeof held>) => setHeld((now) => ({ ...now, ...more }))
  const { fieldErrors } = act
  const fills = held.requirement === requirements.fill
  const save = () =>
    act.run({
      query,
      body: {
        id,
        title: held.title,
        requirement: held.requirement,
        content: held.content,
        required: fills
          ? held.required
              .split('\n')
              .map((one) => one.trim())
              .filter(Boolean)
          : [],
        deadline: held.deadline ?? null,
        files: held.files,
        to: held.to,
      },
    })
  return (
    <FormSheet
      title="下发资料"
      saveText="下发"
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={fieldErrors}
      dirty={held.title !== '' || held.to.length > 0}
    >
      <Field label="标题" error={fieldErrors.title}>
        {(field) => <Input id={field} maxLength={100} value={held.title} onChange={(event) => set({ title: event.target.value })} />}
      </Field>
      <Field label="办理要求" error={fieldErrors.requirement}>
        {(field) => (
          <Choice
            id={field}
            clear={false}
            options={requirementOptions}
            value={held.requirement}
            onChange={(value) => set({ requirement: (value ?? requirements.fill) as '1' | '2' | '3' })}
          />
        )}
      </Field>
      {fills && (
        <Field label="应报材料（每行一项）" error={fieldErrors.required}>
          {(field) => <LongText id={field} value={held.required} onChange={(value) => set({ required: value ?? '' })} />}
        </Field>
      )}
      <Field label="截止日期" error={fieldErrors.deadline}>
        {(field) => <DayInput id={field} value={held.deadline ?? null} onChange={(value) => set({ deadline: value })} />}
      </Field>
      <Targets value={held.to} onChange={(to) => set({ to })} error={fieldErrors.to} />
      <Field label="内容" error={fieldErrors.content}>
        {(field) => <LongText id={field} maxLength={2000} value={held.content} onChange={(value) => set({ content: value ?? '' })} />}
      </Field>
      <Field label="附件与模板" error={fieldErrors.files}>
        {(field) => (
          <Upload id={field} accept={acceptedFiles} maxMb={maxMb} max={mostFiles} value={held.files} onChange={(files) => set({ files })} />
        )}
      </Field>
    </FormSheet>
  )
}

export function ForwardSheet({ stop, title, onClose }: { stop: TravelStop; title: string; onClose: () => void }) {
  const [to, setTo] = useState<string[]>([])
  const [remark, setRemark] = useState('')
  const [deadline, setDeadline] = useState<string>()
  const act = useAct(changeTravel, { success: '已转发', onDone: onClose })
  const save = () =>
    act.run({
      params: { id: stop.id },
      query,
      body: { action: 'forward', version: stop.version, to, remark, deadline: deadline ?? null },
    })
  return (
    <FormSheet
      title={`转发 ${title}`}
      saveText="转发"
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={to.length > 0 || remark !== ''}
    >
      <Targets value={to} onChange={setTo} error={act.fieldErrors.to} />
      <Field label="说明" error={act.fieldErrors.remark}>
        {(field) => <LongText id={field} maxLength={500} value={remark} onChange={(value) => setRemark(value ?? '')} />}
      </Field>
      <Field label={`截止日期${stop.deadline ? `（不晚于 ${stop.deadline}）` : ''}`} error={act.fieldErrors.deadline}>
        {(field) => <DayInput id={field} value={deadline ?? null} onChange={setDeadline} />}
      </Field>
    </FormSheet>
  )
}

export function SubmitSheet({ stop, required, onClose }: { stop: TravelStop; required: readonly string[]; onClose: () => void }) {
  const [files, setFiles] = useState<string[]>([])
  const [note, setNote] = useState('')
  const act = useAct(changeTravel, { success: '已上报', onDone: onClose })
  const save = () => act.run({ params: { id: stop.id }, query, body: { action: 'submit', version: stop.version, files, note } })
  return (
    <FormSheet
      title="上报"
      saveText="上报"
      remark={required.length > 0 ? `应报：${required.join('、')}` : undefined}
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={files.length > 0 || note !== ''}
    >
      <Field label="上报材料" error={act.fieldErrors.files}>
        {(field) => <Upload id={field} accept={acceptedFiles} maxMb={maxMb} max={mostFiles} value={files} onChange={setFiles} />}
      </Field>
      <Field label="说明" error={act.fieldErrors.note}>
        {(field) => <LongText id={field} maxLength={500} value={note} onChange={(value) => setNote(value ?? '')} />}
      </Field>
    </FormSheet>
  )
}

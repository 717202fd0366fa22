import type { RepairInput } from '@zhugong/contract/rectify/repair'
import { results } from '@zhugong/contract/upkeep/inspections'
import { createMaintenance, getMaintenance, type MaintenanceDetail } from '@zhugong/contract/upkeep/maintenance'
import { Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { refresh, useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { day } from '#kit/format.ts'
import { Choice, ClockInput, DayInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { SignaturePad } from '#kit/signature-pad.tsx'
import { uid } from '#kit/uid.ts'
import { PartFields, PeopleFields } from './repair-fields.tsx'
import { useMachines } from './use-machines.ts'

interface Typed {
  machineId: string
  type: string
  maintainDate: string
  startTime: string | null
  endTime: string | null
  maintainCorp: string
  content: string
  result: string
  nextDate: string | null
  photos: string[]
  acceptor: string
  parts: RepairInput['parts']
  maintainers: RepairInput['maintainers']
}

/** Usual work by kind of maintenance (dictionary deviceMaintainType), to begin from. */
const usual: Readonly<Record<string, string>> = {
  1: '清洁机体，检查油位、紧固件和钢丝绳外观，试运转正常',
  2: '紧固标准节与回转螺栓，润滑各转动部位，检查制动间隙和限位',
  3: '检查并调整制动器、限位与力矩限制器，检查结构焊缝，更换润滑油',
  6: '各润滑点加注润滑脂，钢丝绳涂抹润滑油',
  7: '按说明书年度检修项目逐项检查、调整并试运转',
}

/** Registers a job, or corrects one by a further entry that points to it. */
export function MaintainForm({ corrects, onClose }: { corrects?: MaintenanceDetail; onClose: () => void }) {
  const own = useProjectCode()
  const projectCode = corrects?.projectCode ?? own
  const dicts = useDicts('deviceMaintainType', 'deviceInspectResult')
  const { machines } = useMachines({ projectCode })
  const [id] = useState(uid)
  const [drawn, setDrawn] = useState<string>()
  const [typed, setTyped] = useState<Typed>(() => startOf(corrects))
  const act = useAct(createMaintenance, {
    success: '维保已登记',
    onDone: () => {
      refresh(getMaintenance)
      onClose()
    },
  })
  const set = (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change }))
  const wrong = act.fieldErrors
  const save = () =>
    act.run(
      { query: { projectCode }, body: { id, ...typed, signature: drawn ?? '', corrects: corrects?.id ?? null } },
      { fieldsShown: true },
    )
  const problem = (field: string) => wrong[field]
  return (
    <FormSheet
      title={corrects ? `更正 ${corrects.code}` : '登记维保'}
      remark={corrects ? '原记录保留，另登记一条更正' : '登记后不能修改，有误时另登记一条更正'}
      saveText="登记"
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={wrong}
      dirty={typed.content !== '' || typed.photos.length > 0}
      width={720}
    >
      <div className="upkeep-form">
        {corrects && <Notice tone="info">更正的原因写在维保内容里。</Notice>}
        <Line label="设备" problem={wrong.machineId}>
          {(field) => (
            <Choice
              id={field}
              disabled={corrects !== undefined}
              options={machines.map((one) => ({ value: one.id, label: `${one.name}（${one.deviceTypeName}）` }))}
              value={typed.machineId || null}
              onChange={(machineId) =>
                set({
                  machineId: machineId ?? '',
                  maintainCorp: machines.find((one) => one.id === machineId)?.maintainCorp ?? typed.maintainCorp,
                })
              }
            />
          )}
        </Line>
        <Line label="维保类型" problem={wrong.type}>
          {(field) => (
            <Choice
              id={field}
              options={dicts.options('deviceMaintainType')}
              value={typed.type}
              onChange={(type) => set({ type: type ?? '2', content: typed.content || (usual[type ?? ''] ?? '') })}
            />
          )}
        </Line>
        <Line label="维保日期" problem={wrong.maintainDate}>
          {(field) => <DayInput id={field} value={typed.maintainDate} onChange={(next) => set({ maintainDate: next ?? '' })} />}
        </Line>
        <Line label="开始" problem={wrong.startTime}>
          {(field) => <ClockInput id={field} value={typed.startTime} onChange={(next) => set({ startTime: next ?? null })} />}
        </Line>
        <Line label="结束" problem={wrong.endTime}>
          {(field) => <ClockInput id={field} value={typed.endTime} onChange={(next) => set({ endTime: next ?? null })} />}
        </Line>
        <Line label="维保单位" problem={wrong.maintainCorp}>
          {(field) => (
            <Input id={field} maxLength={100} value={typed.maintainCorp} onChange={(e) => set({ maintainCorp: e.target.value })} />
          )}
        </Line>
        <Line label="维保内容" problem={wrong.content} wide>
          {(field) => (
            <Input.TextArea id={field} rows={3} maxLength={1000} value={typed.content} onChange={(e) => set({ content: e.target.value })} />
          )}
        </Line>
        <div className="zg-span-all">
          <PeopleFields
            id={id}
            projectCode={projectCode}
            value={typed.maintainers}
            onChange={(maintainers) => set({ maintainers })}
            problem={problem}
          />
          <PartFields id={id} value={typed.parts} onChange={(parts) => set({ parts })} problem={problem} />
        </div>
        <Line label="结果" problem={wrong.result}>
          {(field) => (
            <Choice
              id={field}
              options={dicts.options('deviceInspectResult')}
              value={typed.result}
              onChange={(result) => set({ result: result ?? results.fit })}
            />
          )}
        </Line>
        {typed.result !== results.fit && <Notice tone="warning">结果不合格：请再登记一次设备检查，由检查方下发整改或停用设备。</Notice>}
        <Line label="下次维保（不填为一个月后）" problem={wrong.nextDate}>
          {(field) => <DayInput id={field} value={typed.nextDate} onChange={(next) => set({ nextDate: next ?? null })} />}
        </Line>
        <Line label="照片" problem={wrong.photos} wide>
          {(field) => <Upload id={field} max={9} value={typed.photos} onChange={(photos) => set({ photos })} />}
        </Line>
        <Line label="验收人" problem={wrong.acceptor}>
          {(field) => <Input id={field} maxLength={50} value={typed.acceptor} onChange={(e) => set({ acceptor: e.target.value })} />}
        </Line>
        <div className="zg-span-all">
          <span className="zg-label">验收人签名</span>
          <SignaturePad onChange={setDrawn} problem={wrong.signature ?? wrong.image} />
        </div>
      </div>
    </FormSheet>
  )
}

const startOf = (before: MaintenanceDetail | undefined): Typed => ({
  machineId: before?.machineId ?? '',
  type: before?.type ?? '2',
  maintainDate: before?.maintainDate ?? day(Date.now()),
  startTime: before?.startTime ?? null,
  endTime: before?.endTime ?? null,
  maintainCorp: before?.maintainCorp ?? '',
  content: before?.content ?? '',
  result: before?.result ?? results.fit,
  nextDate: before?.nextDate ?? null,
  photos: [],
  acceptor: before?.acceptor ?? '',
  parts: before?.parts.map(({ certificates, ...one }) => ({ ...one, certificates: [...certificates] })) ?? [],
  maintainers: before?.maintainers.map(({ name, certNo, certEnd }) => ({ workerId: null, name, certNo, certEnd })) ?? [],
})

function Line({
  label,
  problem,
  wide,
  children,
}: {
  label: string
  problem: string | undefined
  wide?: boolean
  children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div className={wide ? 'zg-span-all' : undefined}>
      <label className="zg-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
      {problem && (
        <small className="tone-danger" role="alert">
          {problem}
        </small>
      )}
    </div>
  )
}

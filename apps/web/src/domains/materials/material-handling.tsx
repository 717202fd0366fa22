import { changeMaterial, type MaterialDetail } from '@zhugong/contract/materials/calls'
import { type MaterialAction, materialMoves, materialStates, mostMaterialFiles, receivedMaterial } from '@zhugong/contract/materials/moves'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { PassInput } from '#kit/pass-input.tsx'
import { SignatureInput } from '#kit/signature-pad.tsx'
import { Handling, type ItemAction } from '#kit/work-item.tsx'
import { PlaceInput } from '../places/public.tsx'
import { anyProject } from './material-words.tsx'
import { TicketChoice } from './ticket-choice.tsx'

const { Field } = formOf(changeMaterial)
type Body = BodyOf<typeof changeMaterial>
const papers = 'image/*,application/pdf'
const main: readonly MaterialAction[] = ['accept', 'sample', 'send', 'report', 'withdraw']

/** What the caller may do now, each in a drawer with its fields. */
export function MaterialHandling({ file }: { file: MaterialDetail }) {
  const [open, setOpen] = useState<MaterialAction | undefined>(undefined)
  const act = useAct(changeMaterial, { success: '已办理' })
  const actions: ItemAction[] = file.actions.map(({ action, label }) => ({
    label,
    main: action === file.actions.find((one) => main.includes(one.action as MaterialAction))?.action,
    danger: action === 'withdraw',
    run: () => setOpen(action as MaterialAction),
  }))
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running} none={waitsFor(file)} />
      {open && (
        <FormDrawer
          key={open}
          act={act}
          open
          title={materialMoves[open].label}
          remark={`${file.name} ${file.spec}`}
          onClose={() => setOpen(undefined)}
          initial={initialOf(open, file)}
          input={(body) => ({
            params: { id: file.id },
            query: anyProject,
            body: { ...(body as Body), action: open, version: file.version } as Body,
          })}
        >
          <Fields action={open} file={file} />
        </FormDrawer>
      )}
    </>
  )
}

const waits: Readonly<Record<string, string>> = {
  accept: '等待监理验收',
  sample: '等待材料员见证取样',
  send: '等待材料员送检',
  report: '等待材料员录入复验报告',
  banned: '等待材料员办理退场',
}
const waitsFor = ({ step, exited }: MaterialDetail) => (exited ? '该批次已退场' : step === null ? '没有待办事项' : (waits[step] ?? ''))

function initialOf(action: MaterialAction, file: MaterialDetail): Values {
  const common = { action, version: file.version }
  if (action === 'accept') return { ...common, result: file.needRetest ? '2' : '1', opinion: '', photos: [] }
  if (action === 'correct') return { ...common, quantity: file.quantity, spec: file.spec, batchNo: file.batchNo }
  return { ...common, photos: [], files: [], tickets: [] }
}

function Fields({ action, file }: { action: MaterialAction; file: MaterialDetail }) {
  switch (action) {
    case 'accept':
      return (
        <>
          <Field name="result" label="验收结论" help={file.needRetest ? '须复验的材料先为“待复验”' : undefined}>
            <Choice
              clear={false}
              options={Object.entries(materialStates).flatMap(([value, label]) => (value === receivedMaterial ? [] : [{ value, label }]))}
            />
          </Field>
          <Field name="opinion" label="验收意见" span="all" help="不合格或让步接收须写明理由">
            <LongText rows={2} />
          </Field>
          <Field name="photos" label="验收照片" span="all">
            <Upload max={mostMaterialFiles} />
          </Field>
          <Field name="signature" label="监理签名" span="all">
            <SignatureInput />
          </Field>
        </>
      )
    case 'sample':
      return (
        <>
          <Field name="sampleNo" label="样品编号" help="封条上的编号，可扫码">
            <Input />
          </Field>
          <Field name="note" label="取样部位与数量" span="all">
            <Input placeholder="例如 自三捆各取一根，共 5 根" />
          </Field>
          <Field name="photos" label="封样照片" span="all">
            <Upload max={mostMaterialFiles} />
          </Field>
        </>
      )
    case 'send':
      return (
        <>
          <Field name="labOrg" label="检测机构">
            <Input />
          </Field>
          <Field name="note" label="备注" span="all">
            <Input />
          </Field>
        </>
      )
    case 'report':
      return (
        <>
          <Field name="reportNo" label="报告编号">
            <Input />
          </Field>
          <Field name="passed" label="复验结论">
            <PassInput />
          </Field>
          <Field name="values" label="主要检测值" span="all">
            <Input placeholder="例如 屈服 445 MPa，抗拉 610 MPa，伸长率 19%" />
          </Field>
          <Field name="files" label="复验报告" span="all">
            <Upload max={mostMaterialFiles} accept={papers} maxMb={100} />
          </Field>
        </>
      )
    case 'use':
      return (
        <>
          <Field name="quantity" label="领用数量">
            <NumberInput unit={file.unitName} min={0} />
          </Field>
          <Field name="team" label="领用班组">
            <Input />
          </Field>
          <Field name="part" label="使用部位">
            <Input placeholder="例如 9 层梁板" />
          </Field>
          <Field name="placeId" label="位置">
            <PlaceInput projectCode={file.projectCode} />
          </Field>
        </>
      )
    case 'withdraw':
      return (
        <>
          <Field name="plateNo" label="车牌">
            <Input />
          </Field>
          <Field name="note" label="退往">
            <Input placeholder="例如 退回供应商" />
          </Field>
          <Field name="tickets" label="出场磅单" span="all" help="按重量计的材料必须关联">
            <TicketChoice projectCode={file.projectCode} direction="out" />
          </Field>
          <Field name="photos" label="退场照片" span="all">
            <Upload max={mostMaterialFiles} />
          </Field>
        </>
      )
    case 'correct':
      return (
        <>
          <Field name="quantity" label="数量">
            <NumberInput unit={file.unitName} min={0} />
          </Field>
          <Field name="spec" label="规格型号">
            <Input />
          </Field>
          <Field name="batchNo" label="批号">
            <Input />
          </Field>
          <Field name="reason" label="更正原因" span="all" help="原记录保留，更正另记一条">
            <LongText rows={2} />
          </Field>
        </>
      )
    case 'link':
      return (
        <Field name="tickets" label="进场磅单" span="all">
          <TicketChoice projectCode={file.projectCode} direction="in" />
        </Field>
      )
  }
}

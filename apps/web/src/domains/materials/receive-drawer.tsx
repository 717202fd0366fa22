import { receiveMaterial } from '@zhugong/contract/materials/calls'
import { mostMaterialFiles } from '@zhugong/contract/materials/moves'
import { numberedCategories, samplesDue, usualRule } from '@zhugong/contract/materials/rules'
import { getTicket } from '@zhugong/contract/monitoring/weigh/weighing'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, NumberInput, TimeInput, Upload } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import { TicketChoice } from './ticket-choice.tsx'

const { Field, useValue } = formOf(receiveMaterial)
const papers = 'image/*,application/pdf'

interface ReceiveProps {
  projectCode: string
  /** Begins with what this ticket of the weighbridge says. */
  ticket: string | undefined
  onClose: () => void
}

/** Registers a batch that arrived. */
export function ReceiveDrawer({ projectCode, ticket, onClose }: ReceiveProps) {
  const read = useCall(getTicket, { params: { id: ticket ?? '' } }, { quiet: true, enabled: ticket !== undefined })
  if (ticket !== undefined && !read.data && !read.error) return null
  const weighed = read.data
  return (
    <Form
      projectCode={projectCode}
      onClose={onClose}
      given={
        weighed
          ? {
              name: weighed.material,
              spec: weighed.spec,
              supplier: weighed.supplier,
              category: categoryOf(weighed.material),
              plateNo: weighed.plateNo,
              quantity: weighed.actualWeight ?? undefined,
              unit: tonne,
              arriveTime: time(weighed.grossTime ?? weighed.time),
              tickets: [weighed.id],
            }
          : {}
      }
    />
  )
}

const tonne = '1'
/** Categories by words of the goods on a ticket; the keeper corrects what does not fit. */
const words: readonly (readonly [RegExp, string])[] = [
  [/钢筋|螺纹钢|盘螺|线材/, '01'],
  [/水泥/, '02'],
  [/砂|石|碎石/, '03'],
  [/混凝土/, '04'],
  [/砂浆/, '05'],
  [/砌块|砖/, '06'],
]
const categoryOf = (goods: string) => words.find(([one]) => one.test(goods))?.[1]

function Form({ projectCode, given, onClose }: { projectCode: string; given: Values; onClose: () => void }) {
  const act = useAct(receiveMaterial, { success: '已登记，等待监理验收' })
  const [id] = useState(uid)
  return (
    <FormDrawer
      act={act}
      open
      title="进场登记"
      remark="登记后由监理验收"
      onClose={onClose}
      initial={{ id, certFiles: [], photos: [], tickets: [], ...given }}
      input={(body) => ({ query: { projectCode }, body })}
    >
      <Fields projectCode={projectCode} />
    </FormDrawer>
  )
}

function Fields({ projectCode }: { projectCode: string }) {
  const dicts = useDicts('materialCategory', 'materialUnit')
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true })
  const category = useValue('category') ?? ''
  const amount = useValue('quantity')
  const unit = useValue('unit') ?? ''
  const rule = usualRule(category)
  const due = typeof amount === 'number' && amount > 0 ? samplesDue(rule, amount, unit) : 0
  return (
    <>
      <Field name="category" label="材料类别">
        <Choice clear={false} options={dicts.options('materialCategory')} />
      </Field>
      <Field name="name" label="材料名称">
        <Input placeholder="例如 热轧带肋钢筋" />
      </Field>
      <Field name="spec" label="规格型号">
        <Input placeholder="例如 HRB400E Φ25" />
      </Field>
      <Field name="batchNo" label="批号" required={numberedCategories.includes(category)}>
        <Input placeholder="质量证明书上的炉批号" />
      </Field>
      <Field name="quantity" label="数量">
        <NumberInput min={0} />
      </Field>
      <Field name="unit" label="单位">
        <Choice clear={false} options={dicts.options('materialUnit')} />
      </Field>
      <Field name="supplier" label="供应商">
        <Input />
      </Field>
      <Field name="brand" label="品牌/产地">
        <Input />
      </Field>
      <Field name="corpCode" label="收料单位">
        <Choice clear={false} options={(people.data?.corps ?? []).map((one) => ({ value: one.code, label: one.name }))} />
      </Field>
      <Field name="arriveTime" label="进场时间" help="不填为现在">
        <TimeInput />
      </Field>
      <Field name="plateNo" label="车牌">
        <Input />
      </Field>
      <Field name="usePart" label="拟用部位">
        <Input placeholder="例如 9 层梁板" />
      </Field>
      {due > 0 && (
        <div className="zg-span-all">
          <Notice tone="info">该类材料须复验：按常用规则应见证取样 {due} 组，报告合格前不得使用。</Notice>
        </div>
      )}
      <Field name="tickets" label="进场磅单" span="all" help="按重量计的材料关联磅单后自动算出过磅偏差">
        <TicketChoice projectCode={projectCode} direction="in" />
      </Field>
      <Field name="certFiles" label="质量证明文件" span="all" help="合格证、出厂检验报告">
        <Upload max={mostMaterialFiles} accept={papers} maxMb={100} />
      </Field>
      <Field name="photos" label="到场照片" span="all">
        <Upload max={mostMaterialFiles} />
      </Field>
    </>
  )
}

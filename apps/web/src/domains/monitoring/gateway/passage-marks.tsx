import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { coverNames, vehicleTypeNames, washNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import { markPassages, mostMarks, plateMarks } from '@zhugong/contract/monitoring/record-fixes'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import '../family.css'
import './gateway.css'

const { Field } = formOf(markPassages)

type Passage = OutputFor<typeof listPassages>['list'][number]
type Marked = OutputFor<typeof markPassages>
const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))

/** Marks the selected doubtful passages with one result and reason. */
export function MarkChosen({ rows, projectCode, clear }: { rows: readonly Passage[]; projectCode: string; clear: () => void }) {
  const [open, setOpen] = useState(false)
  const [result, setResult] = useState<Marked>()
  const act = useAct(markPassages, {
    success: false,
    refreshes: [listPassages],
    onDone: (marked) => {
      if (marked.failed.length > 0) return setResult(marked)
      notify.success(`已标记 ${marked.done} 辆次`)
      clear()
    },
  })
  const tooMany = rows.length > mostMarks
  return (
    <>
      <Button disabled={tooMany} title={tooMany ? `一次最多标记 ${mostMarks} 辆次` : undefined} onClick={() => setOpen(true)}>
        批量标记
      </Button>
      <FormDrawer
        open={open}
        onClose={() => setOpen(false)}
        act={act}
        title="批量标记待核通行"
        remark={`${rows.length} 辆次，一次最多 ${mostMarks} 辆次`}
        initial={{ rows: rows.map(({ id, version }) => ({ id, version })) }}
        input={(body: BodyOf<typeof markPassages>) => ({ query: { projectCode }, body })}
      >
        <Field name="plate" label="车牌" help="无误的不再待核；无法辨认的留在通行记录里，不再待核">
          <Choice options={optionsOf(plateMarks)} />
        </Field>
        <Field name="vehicleType" label="车型" help="不选为不改">
          <Choice options={optionsOf(vehicleTypeNames)} />
        </Field>
        <Field name="washState" label="冲洗" help="不选为不改">
          <Choice options={optionsOf(washNames)} />
        </Field>
        <Field name="coverState" label="密闭" help="不选为不改">
          <Choice options={optionsOf(coverNames)} />
        </Field>
        <Field name="reason" label="标记原因" span="all" help="写入每一条的更正记录，原值保留">
          <LongText />
        </Field>
      </FormDrawer>
      <PageDrawer
        open={result !== undefined}
        size={560}
        title="批量标记结果"
        onClose={() => {
          setResult(undefined)
          clear()
        }}
      >
        {result && <Result marked={result} />}
      </PageDrawer>
    </>
  )
}

function Result({ marked }: { marked: Marked }) {
  return (
    <div className="gate-page">
      <Notice tone="warning">{`已标记 ${marked.done} 辆次，${marked.failed.length} 辆次未标记`}</Notice>
      <table className="fam-table fam-kept">
        <thead>
          <tr>
            <th>车牌</th>
            <th>时间</th>
            <th>未标记的原因</th>
          </tr>
        </thead>
        <tbody>
          {marked.failed.map((one) => (
            <tr key={one.id}>
              <td>{one.plateNo}</td>
              <td>{time(one.time)}</td>
              <td>{one.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

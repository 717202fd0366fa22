import { liftDevice, liftStatus } from '@zhugong/contract/monitoring/lift/lift-live'
import {
  addLiftTest,
  type DropTestDue,
  dropTestSoonDays,
  type LiftTest,
  liftTestKinds,
  liftTestResults,
  listLiftTests,
  voidLiftTest,
} from '@zhugong/contract/monitoring/lift/lift-tests'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { EntryBook, VoidEntry } from '../entry-book.tsx'

const { Field, useValue } = formOf(addLiftTest, voidLiftTest)

/** When the next drop test is due, in words. */
export function DropTestWords({ due }: { due: DropTestDue }) {
  if (due.dropTestFailed) return <span className="tone-danger">防坠试验不合格，不得使用</span>
  if (due.dropTestDue === null || due.dropTestDays === null) return <span className="tone-warning">未登记防坠试验</span>
  if (due.dropTestDays < 0) return <span className="tone-danger">{`防坠试验逾期 ${-due.dropTestDays} 天（应于 ${due.dropTestDue}）`}</span>
  return (
    <span className={due.dropTestDays <= dropTestSoonDays ? 'tone-warning' : ''}>
      {`防坠试验到期 ${due.dropTestDue}（${due.dropTestDays} 天）`}
    </span>
  )
}

interface Lift {
  deviceId: string
  deviceName: string
  projectCode: string
}
const refreshes = [listLiftTests, liftDevice, liftStatus]
const most = 50

/** Tests of one lift, newest first, with the form for the next one. */
export function LiftTests({ lift, onClose }: { lift: Lift; onClose: () => void }) {
  const may = useCan(addLiftTest, { projectCode: lift.projectCode })
  const [adding, setAdding] = useState(false)
  const [wrong, setWrong] = useState<LiftTest>()
  const all = useCall(listLiftTests, { query: { projectCode: lift.projectCode, deviceId: lift.deviceId, size: most } })
  return (
    <EntryBook
      title={`试验记录　${lift.deviceName}`}
      read={all}
      none="还没有试验记录"
      paper="附件"
      add={
        may && (
          <Button type="primary" onClick={() => setAdding(true)}>
            登记试验
          </Button>
        )
      }
      head={(one) => (
        <>
          <Tag tone={one.result === 'pass' ? 'fine' : 'danger'}>{liftTestResults[one.result]}</Tag> {one.testedOn} {liftTestKinds[one.kind]}
          {one.distanceMeters !== null && `，制动距离 ${one.distanceMeters} m`}
          {one.loadPercent !== null && `，载荷 ${one.loadPercent} %`}
        </>
      )}
      said={(one) => [one.personName, one.unitName, one.remark]}
      after={(one) =>
        may && (
          <button type="button" className="zg-bare zg-link" onClick={() => setWrong(one)}>
            　作废
          </button>
        )
      }
      onClose={onClose}
    >
      {adding && <AddForm lift={lift} onClose={() => setAdding(false)} />}
      {wrong && <VoidForm test={wrong} onClose={() => setWrong(undefined)} />}
    </EntryBook>
  )
}

const optionsOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))

function AddForm({ lift, onClose }: { lift: Lift; onClose: () => void }) {
  const act = useAct(addLiftTest, { success: '已登记', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="登记试验"
      remark={lift.deviceName}
      initial={{ kind: 'drop', testedOn: day(Date.now()), result: 'pass', files: [] }}
      input={(body: BodyOf<typeof addLiftTest>) => ({
        query: { projectCode: lift.projectCode },
        body: { ...body, deviceId: lift.deviceId },
      })}
      onClose={onClose}
    >
      <AddFields />
    </FormDrawer>
  )
}

function AddFields() {
  const kind = useValue('kind')
  return (
    <>
      <Field name="kind" label="类型" required>
        <Choice clear={false} options={optionsOf(liftTestKinds)} />
      </Field>
      <Field name="testedOn" label="试验日期" required help="防坠试验每 3 个月一次，下次到期由此推算">
        <DayInput />
      </Field>
      <Field name="result" label="结果" required>
        <Choice clear={false} options={optionsOf(liftTestResults)} />
      </Field>
      {kind === 'load' ? (
        <Field name="loadPercent" label="载荷（%）" help="占额定载重">
          <NumberInput />
        </Field>
      ) : (
        <Field name="distanceMeters" label="制动距离（m）">
          <NumberInput />
        </Field>
      )}
      <Field name="personName" label="试验负责人" required>
        <Input />
      </Field>
      <Field name="unitName" label="试验单位">
        <Input />
      </Field>
      <Field name="remark" label="说明">
        <LongText rows={2} />
      </Field>
      <Field name="files" label="试验报告与照片">
        <Upload max={6} maxMb={20} accept="image/*,application/pdf" />
      </Field>
    </>
  )
}

function VoidForm({ test, onClose }: { test: LiftTest; onClose: () => void }) {
  return (
    <VoidEntry
      act={useAct(voidLiftTest, { success: '已作废，到期日按其余记录推算', refreshes, onDone: onClose })}
      entry={test}
      title="作废试验记录"
      remark={`${test.testedOn} ${liftTestKinds[test.kind]}`}
      label="作废原因"
      onClose={onClose}
    />
  )
}

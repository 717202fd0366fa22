import { outcomes, tempActions } from '@zhugong/contract/prevention/codes'
import { actOnTempAlarms, type TempAlarmRow } from '@zhugong/contract/prevention/endpoints'
import { refresh, useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, NumberInput } from '#kit/inputs.tsx'

const { Field } = formOf(actOnTempAlarms)

/** Records a second measurement, or the outcome of an alarm. */
export function HandleDrawer({
  row,
  action,
  onClose,
}: {
  row: Pick<TempAlarmRow, 'id' | 'version' | 'name' | 'projectCode' | 'levelName'>
  action: 'recheck' | 'handle'
  onClose: () => void
}) {
  const act = useAct(actOnTempAlarms, {
    success: action === 'recheck' ? '已登记复测' : '已处理',
    onDone: () => {
      onClose()
      refresh()
    },
  })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={tempActions[action].name}
      remark={`${row.name} ${row.levelName}`}
      initial={{ items: [{ id: row.id, version: row.version }], action, remark: '' }}
      input={(body) => ({ query: { projectCode: row.projectCode }, body })}
      onClose={onClose}
    >
      {action === 'recheck' ? (
        <Field name="value" label="复测体温" required help="静坐 5 至 10 分钟后用水银或电子体温计复测">
          <NumberInput unit="°C" min={35} max={42} precision={1} step={0.1} />
        </Field>
      ) : (
        <>
          <Notice tone="info">处理说明与去向只对健康管理人员可见，到保存期限后删除。</Notice>
          <Field name="outcome" label="去向" required>
            <Choice clear={false} options={outcomes.map((o) => ({ value: o, label: o }))} />
          </Field>
        </>
      )}
      <Field name="remark" label="说明" required={action === 'handle'}>
        <LongText rows={3} maxLength={500} />
      </Field>
    </FormDrawer>
  )
}

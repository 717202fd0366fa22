import { type BadActionDetail, changeBadAction, removeBadAction } from '@zhugong/contract/misconduct/calls'
import { mostPointsFor, proposedAppealDays, proposedMonths } from '@zhugong/contract/misconduct/codes'
import { type BadAction, badMoves } from '@zhugong/contract/misconduct/moves'
import { Input } from 'antd'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { useGo, usePage } from '#kit/page.tsx'
import { Handling, type ItemAction } from '#kit/work-item.tsx'

interface Props {
  file: BadActionDetail
}
type Body = BodyOf<typeof changeBadAction>
type Sheet = 'decide' | 'serve' | 'appeal' | 'applyRepair'

/** Actions that ask for a reason, and how. */
const reasons: Partial<Record<BadAction, string>> = {
  drop: '不采纳原因（至少 5 个字）',
  reject: '驳回原因（至少 5 个字）',
  uphold: '维持理由（至少 5 个字）',
  cancel: '撤销理由（至少 5 个字）',
  refuseRepair: '不予修复原因（至少 5 个字）',
}
const main: readonly BadAction[] = ['submit', 'decide', 'receive', 'repair']
const dangerous: readonly BadAction[] = ['drop', 'reject', 'withdraw', 'cancel', 'refuseRepair']
const sheets: readonly string[] = ['decide', 'serve', 'appeal', 'applyRepair']

/** What the caller may do now, as the server offers it. */
export function BadHandling({ file }: Props) {
  const go = useGo()
  const page = usePage()
  const [sheet, setSheet] = useState<Sheet>()
  const act = useAct(changeBadAction, { success: '已办理' })
  const removal = useAct(removeBadAction, { success: '草稿已删除', onDone: () => page.leave('/misconduct') })
  const key = { id: file.id, version: file.version }
  const run = (action: BadAction, more: object = {}) => act.run({ body: { ...key, action, ...more } as Body })
  const take = async (action: BadAction) => {
    if (action === 'submit') return go('/misconductEdit', { id: file.id })
    if (sheets.includes(action)) return setSheet(action as Sheet)
    const label = reasons[action]
    if (label) {
      const opinion = await askReason(`${badMoves[action].label} ${file.code ?? file.targetName}`, label)
      return opinion ? run(action, { opinion }) : undefined
    }
    if (action === 'receive') {
      const sure = await confirmDanger({
        thing: '签收认定书',
        consequence: `签收后开始公示，申诉期从今天起算。签收不影响申诉。`,
        verb: '签收',
        keep: '暂不签收',
      })
      return sure ? run(action) : undefined
    }
    return run(action, action === 'repair' ? { opinion: '' } : {})
  }
  const labels: Partial<Record<BadAction, string>> = { submit: file.system ? '核实并提交' : '修改并提交' }
  const actions: ItemAction[] = file.actions.flatMap(({ action: name, label }) => {
    const action = name as BadAction
    if (action === 'save') return []
    return [{ label: labels[action] ?? label, main: main.includes(action), danger: dangerous.includes(action), run: () => take(action) }]
  })
  if (file.removable)
    actions.push({
      label: '删除草稿',
      danger: true,
      run: () =>
        removal.afterRequesting(
          { thing: '删除这份草稿', consequence: '所填内容不再保留。', verb: '删除草稿', keep: '留着' },
          { params: { id: file.id } },
        ),
    })
  const close = () => setSheet(undefined)
  return (
    <>
      <Handling remark={file.waiting} actions={actions} busy={act.running} none={file.waiting} />
      {sheet === 'decide' && <DecideSheet file={file} onClose={close} />}
      {sheet === 'serve' && <ServeSheet file={file} onClose={close} />}
      {(sheet === 'appeal' || sheet === 'applyRepair') && <PleaSheet file={file} action={sheet} onClose={close} />}
    </>
  )
}

const { Field } = formOf(changeBadAction)
interface SheetProps extends Props {
  onClose: () => void
}
const inputOf = (body: unknown) => ({ body: body as Body })
const opened = (file: BadActionDetail, action: Sheet) => ({ action, id: file.id, version: file.version })

function DecideSheet({ file, onClose }: SheetProps) {
  const dicts = useDicts('actionLevel')
  const act = useAct(changeBadAction, { success: '已认定，请当事人签收' })
  const most = mostPointsFor(file.targetType)
  return (
    <FormDrawer
      open
      narrow
      width={520}
      act={act}
      title="认定"
      remark={file.effect ? `${file.effect.label} ${file.effect.before ?? '--'}` : undefined}
      saveText="认定"
      initial={{
        ...opened(file, 'decide'),
        level: file.level,
        score: file.score,
        months: proposedMonths(file.level),
        appealDays: proposedAppealDays,
        opinion: '',
      }}
      input={inputOf}
      onClose={onClose}
    >
      <Field name="level" label="严重程度" required>
        <Choice clear={false} options={dicts.options('actionLevel')} />
      </Field>
      <Field name="score" label="扣分" required help={`最多 ${most} 分`}>
        <NumberInput min={0} max={most} />
      </Field>
      <Field name="months" label="公示月数" required help="自签收或送达之日起">
        <NumberInput min={3} max={12} />
      </Field>
      <Field name="appealDays" label="申诉期限（天）" required>
        <NumberInput min={5} max={60} />
      </Field>
      <Field name="opinion" label="意见" span="all">
        <LongText rows={3} maxLength={500} />
      </Field>
    </FormDrawer>
  )
}

function ServeSheet({ file, onClose }: SheetProps) {
  const act = useAct(changeBadAction, { success: '已登记送达，开始公示' })
  return (
    <FormDrawer
      open
      narrow
      width={520}
      act={act}
      title="登记送达"
      remark="当事人未在平台签收时"
      initial={{ ...opened(file, 'serve'), receiveDate: day(Date.now()), files: [] }}
      input={inputOf}
      onClose={onClose}
    >
      <Field name="receiver" label="收件人" required>
        <Input maxLength={50} />
      </Field>
      <Field name="receiveDate" label="送达日期" required>
        <DayInput min={file.decideTime?.slice(0, 10)} max={day(Date.now())} />
      </Field>
      <Field name="files" label="送达回证" required span="all">
        <Upload max={20} accept="image/*,application/pdf" maxMb={100} />
      </Field>
    </FormDrawer>
  )
}

function PleaSheet({ file, action, onClose }: SheetProps & { action: 'appeal' | 'applyRepair' }) {
  const isAppeal = action === 'appeal'
  const act = useAct(changeBadAction, { success: isAppeal ? '申诉已提交' : '修复申请已提交' })
  return (
    <FormDrawer
      open
      narrow
      width={560}
      act={act}
      title={isAppeal ? '申诉' : '申请信用修复'}
      remark={isAppeal ? `申诉期至 ${file.appealUntil ?? ''}，申诉期间不停止执行` : '附整改完成的证明'}
      initial={{ ...opened(file, action), files: [] }}
      input={inputOf}
      onClose={onClose}
    >
      <Field name="reason" label={isAppeal ? '申诉理由' : '整改情况'} required span="all">
        <LongText rows={5} maxLength={1000} />
      </Field>
      <Field name="files" label={isAppeal ? '申诉材料' : '整改证明'} required={!isAppeal} span="all">
        <Upload max={20} accept="image/*,application/pdf" maxMb={100} />
      </Field>
    </FormDrawer>
  )
}

import { changeStop, removeStop, type StopDetail } from '@zhugong/contract/stops/calls'
import { type StopAction, stopMoves, stopStates } from '@zhugong/contract/stops/moves'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { day } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'
import { useGo, usePage } from '#kit/page.tsx'
import { Handling, type ItemAction } from '#kit/work-item.tsx'

interface Props {
  file: StopDetail
}

/** 专项检查 in dictionary inspectType. */
const specialCheck = '02'

/** What the caller may do now, as the server offers it. */
export function StopHandling({ file }: Props) {
  const go = useGo()
  const page = usePage()
  const [opinion, setOpinion] = useState('')
  const act = useAct(changeStop, { success: '已办理' })
  const removal = useAct(removeStop, { success: '草稿已删除', onDone: () => page.leave('/jgt/stopapply') })
  const mayApply = useCan('supervision.stopApply')
  const mayOrder = useCan('supervision.rectifyIssue')
  const mayCheck = useCan('supervision.checkAssign')
  const key = { params: { id: file.id }, query: { projectCode: file.projectCode } }
  const { version } = file
  const may = (action: StopAction) => file.actions.some((one) => one.action === action)
  const run = (body: Parameters<typeof act.run>[0]['body']) => act.run({ ...key, body })

  const approve = async () => {
    const sure = await confirmDanger({
      thing: `同意${file.typeName}`,
      consequence: (
        <ul>
          {file.effects.map((one) => (
            <li key={`${one.label}${one.value}`}>
              {one.label}：{one.value}
            </li>
          ))}
        </ul>
      ),
      verb: '同意',
      keep: '再看看',
    })
    if (sure) await run({ version, action: 'approve', opinion })
  }
  const reject = async () => {
    const why = await askReason('驳回申请', '驳回原因（至少 5 个字）')
    if (why) await run({ version, action: 'reject', opinion: why })
  }
  const withdraw = async () => {
    const sure = await confirmDanger({
      thing: `撤回 ${file.code ?? ''}`,
      consequence: '申请办结为“已撤回”，需要时重新申请。',
      verb: '撤回',
      keep: '不撤回',
    })
    if (sure) await run({ version, action: 'withdraw' })
  }
  const cancel = async () => {
    const why = await askReason('取消尚未开始的停工', '取消原因（至少 5 个字）')
    if (why) await run({ version, action: 'cancel', opinion: why })
  }
  const drop = () =>
    removal.afterRequesting({ thing: '删除这份草稿', consequence: '所填内容不再保留。', verb: '删除草稿', keep: '留着' }, key)
  const buttons: Partial<Record<StopAction, Omit<ItemAction, 'label'>>> = {
    submit: { main: true, run: () => go('/jgt/stopapply/edit', { id: file.id }) },
    agree: { main: true, run: () => run({ version, action: 'agree', opinion }) },
    approve: { main: true, run: approve },
    reject: { danger: true, run: reject },
    withdraw: { danger: true, run: withdraw },
    cancel: { danger: true, run: cancel },
  }
  const labels: Partial<Record<StopAction, string>> = { submit: '修改并提交' }
  const actions: ItemAction[] = (Object.keys(stopMoves) as StopAction[]).flatMap((action) => {
    const button = buttons[action]
    return button && may(action) ? [{ ...button, label: labels[action] ?? stopMoves[action].label }] : []
  })
  if (file.removable) actions.push({ label: '删除草稿', danger: true, run: drop })
  const isBack = file.state === stopStates.rejected || file.state === stopStates.withdrawn
  if (isBack && mayApply) actions.push({ label: '复制为新申请', run: () => go('/jgt/stopapply/edit', { copy: file.id }) })
  if (file.stopping && mayApply && file.mine)
    actions.push({ label: '申请复工', main: true, run: () => go('/jgt/stopapply/edit', { projectCode: file.projectCode }) })
  const failedOnSite = file.state === stopStates.rejected && file.checks.some((one) => one.sitePassed === false)
  if (may('saveCheck') && mayCheck)
    actions.push({
      label: '安排现场检查',
      run: () =>
        go('/jgt/daycheck/edit', {
          projectCode: file.projectCode,
          inspectType: specialCheck,
          sourceKind: 'stopapply',
          sourceId: file.id,
        }),
    })
  if (failedOnSite && mayOrder)
    actions.push({ label: '对不合格项下发整改', run: () => go('/safetySupervisionRectification/edit', { projectCode: file.projectCode }) })
  const gives = may('agree') || may('approve')
  return (
    <Handling remark={file.waiting} actions={actions} busy={act.running} none={may('pass') ? '请在复工核查表中逐项核查' : file.waiting}>
      {gives && (
        <>
          <label className="zg-label" htmlFor="stop-own-opinion">
            意见（可不填）
          </label>
          <Input.TextArea
            id="stop-own-opinion"
            className="zg-below-12"
            rows={2}
            maxLength={500}
            value={opinion}
            onChange={(event) => setOpinion(event.target.value)}
          />
        </>
      )}
      {may('arrange') && <ArrangeForm file={file} />}
    </Handling>
  )
}

/** The date of the site check and its two officers. */
function ArrangeForm({ file }: Props) {
  const me = useMe((state) => state.info?.name ?? '')
  const act = useAct(changeStop, { success: '核查已安排' })
  const [checkDate, setCheckDate] = useState<string | undefined>(undefined)
  const [officer, setOfficer] = useState(me)
  const [second, setSecond] = useState('')
  const blocked = file.effects.filter((one) => one.level === 'block')
  const problem = (field: string) => act.fieldErrors[field] && <small className="tone-danger">{act.fieldErrors[field]}</small>
  return (
    <div className="zg-work-form">
      <label htmlFor="stop-check-date" className="zg-label">
        核查日期
      </label>
      <DayInput id="stop-check-date" min={day(Date.now())} value={checkDate ?? null} onChange={setCheckDate} />
      {problem('checkDate')}
      <label htmlFor="stop-officer" className="zg-label">
        核查人
      </label>
      <Input id="stop-officer" maxLength={50} value={officer} onChange={(event) => setOfficer(event.target.value)} />
      {problem('officer')}
      <label htmlFor="stop-second" className="zg-label">
        第二名核查人
      </label>
      <Input id="stop-second" maxLength={50} value={second} onChange={(event) => setSecond(event.target.value)} />
      {problem('second')}
      {blocked.map((one) => (
        <small key={one.value} className="tone-danger">
          {one.value}
        </small>
      ))}
      <Button
        type="primary"
        block
        loading={act.running}
        onClick={() =>
          void act.run(
            {
              params: { id: file.id },
              query: { projectCode: file.projectCode },
              body: {
                version: file.version,
                action: 'arrange',
                checkDate: checkDate ?? '',
                officer: officer.trim(),
                second: second.trim(),
              },
            },
            { fieldsShown: true },
          )
        }
      >
        安排核查
      </Button>
    </div>
  )
}

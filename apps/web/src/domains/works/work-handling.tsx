import { changeWork, removeWork, type WorkDetail } from '@zhugong/contract/works/calls'
import { type WorkAction, workMoves } from '@zhugong/contract/works/moves'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { DayInput, LongText } from '#kit/inputs.tsx'
import { useGo, usePage } from '#kit/page.tsx'
import { Handling, type ItemAction } from '#kit/work-item.tsx'
import { paths } from './work-words.tsx'

const { Field } = formOf(changeWork)

type Rejection = Extract<BodyOf<typeof changeWork>, { action: 'reject' }>

interface Props {
  file: WorkDetail
}

/** Actions whose fields are filled on the form of their stage. */
const onForm: readonly WorkAction[] = ['save', 'savePlan', 'review', 'revise', 'prepare', 'monitor', 'saveAccept']
const formLabels: Partial<Record<WorkAction, string>> = {
  save: '修改登记',
  savePlan: '上传方案',
  review: '引用论证结论',
  revise: '提交方案修改',
  prepare: '登记交底与公告牌',
  monitor: '登记监测',
  saveAccept: '上传验收资料',
}

/** What the caller may do now, as the server offers it; what he may not do yet stands below with what is missing. */
export function WorkHandling({ file }: Props) {
  const go = useGo()
  const page = usePage()
  const opinionId = useId()
  const dateId = useId()
  const [opinion, setOpinion] = useState('')
  const [date, setDate] = useState<string | undefined>(() => day(Date.now()))
  const [rejecting, setRejecting] = useState(false)
  const act = useAct(changeWork, { success: '已办理' })
  const removal = useAct(removeWork, { success: '已删除', onDone: () => page.leave(paths.list) })
  const key = { params: { id: file.id }, query: { projectCode: file.projectCode } }
  const { version } = file
  const may = (action: WorkAction) => file.actions.some((one) => one.action === action)
  const run = (body: Parameters<typeof act.run>[0]['body']) => act.run({ ...key, body })
  const withReason = async (action: 'return' | 'superviseNote', title: string) => {
    const why = await askReason(title, '至少 5 个字')
    if (why) await run({ version, action, opinion: why })
  }
  const requireStop = async () => {
    const why = await askReason('要求停止实施', '原因（至少 5 个字），写入局部停工整改通知草稿')
    const made = why ? await run({ version, action: 'requireStop', opinion: why }) : undefined
    if (made?.data.noticeId) go('/safetySupervisionRectification/edit', { id: made.data.noticeId })
  }
  const buttons: Partial<Record<WorkAction, Omit<ItemAction, 'label'>>> = {
    plan: { main: true, run: () => run({ version, action: 'plan' }) },
    submit: { main: true, run: () => run({ version, action: 'submit' }) },
    pass: { main: true, run: () => run({ version, action: 'pass', opinion }) },
    return: { danger: true, run: () => withReason('return', '退回方案') },
    passRevised: { main: true, run: () => run({ version, action: 'passRevised', opinion }) },
    redo: { main: true, run: () => run({ version, action: 'redo' }) },
    start: { main: true, run: () => run({ version, action: 'start', actualStartDate: date ?? '' }) },
    finish: { main: true, run: () => run({ version, action: 'finish', actualEndDate: date ?? '' }) },
    accept: { main: true, run: () => run({ version, action: 'accept', opinion }) },
    reject: { danger: true, run: () => setRejecting(true) },
    close: { main: true, run: () => run({ version, action: 'close', opinion }) },
    superviseNote: { run: () => withReason('superviseNote', '监督意见') },
    requireStop: { danger: true, run: requireStop },
  }
  const forms = onForm
    .filter((action) => may(action))
    .map((action) => ({ label: formLabels[action] ?? '', run: () => go(paths.edit, { id: file.id, step: action }) }))
  const actions: ItemAction[] = [
    ...(Object.keys(workMoves) as WorkAction[]).flatMap((action) => {
      const button = buttons[action]
      return button && may(action) ? [{ ...button, label: workMoves[action].label }] : []
    }),
    ...forms,
  ]
  if (may('requireStop'))
    actions.push({
      label: '派生整改',
      run: () => go('/safetySupervisionRectification/edit', { project: file.projectCode, sourceKind: 'bigproject', sourceId: file.id }),
    })
  if (file.removable)
    actions.push({
      label: '删除误登记',
      danger: true,
      run: () =>
        removal.afterRequesting({ thing: `删除“${file.name}”`, consequence: '登记内容不再保留。', verb: '删除', keep: '留着' }, key),
    })
  const gives = may('pass') || may('accept') || may('passRevised') || may('close')
  const dates = may('start') || may('finish')
  return (
    <>
      <Handling remark={`${file.stateName}，已 ${file.stateDays} 天`} actions={actions} busy={act.running} none="现在不由您办理">
        {file.blocked.map(({ action, label, missing }) => (
          <div key={action}>
            <Button size="large" block disabled>
              {label}
            </Button>
            <ul className="work-missing" aria-label={`${label}还缺`}>
              {missing.map(({ text, link }) => (
                <li key={text} className="tone-danger">
                  {link ? <Link to={link}>{text}</Link> : text}
                </li>
              ))}
            </ul>
          </div>
        ))}
        {dates && (
          <>
            <label className="zg-label" htmlFor={dateId}>
              {may('start') ? '实际开始' : '实际完成'}
            </label>
            <DayInput id={dateId} value={date} onChange={setDate} />
          </>
        )}
        {gives && (
          <>
            <label className="zg-label" htmlFor={opinionId}>
              意见（可不填）
            </label>
            <Input.TextArea
              id={opinionId}
              className="zg-below-12"
              rows={2}
              maxLength={500}
              value={opinion}
              onChange={(event) => setOpinion(event.target.value)}
            />
          </>
        )}
      </Handling>
      <FormDrawer
        act={act}
        open={rejecting}
        title="验收不合格"
        remark="退回实施，并向施工单位下发整改通知"
        onClose={() => setRejecting(false)}
        initial={{ action: 'reject', version }}
        input={(body) => ({ ...key, body: { ...(body as Rejection), action: 'reject' as const, version } })}
      >
        <Field name="opinion" label="不合格原因" span="all">
          <LongText rows={3} />
        </Field>
        <Field name="requirement" label="整改要求" span="all">
          <LongText rows={3} />
        </Field>
        <Field name="responsiblePerson" label="整改责任人">
          <Input maxLength={50} />
        </Field>
        <Field name="deadline" label="整改期限">
          <DayInput min={day(Date.now())} />
        </Field>
      </FormDrawer>
    </>
  )
}

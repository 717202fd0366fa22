import { changeMachine, type MachineDetail } from '@zhugong/contract/machines/calls'
import { type MachineAction, machineMoves } from '@zhugong/contract/machines/moves'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { useGo } from '#kit/page.tsx'
import { Handling, type ItemAction } from '#kit/work-item.tsx'
import { paths } from './machine-words.tsx'

const { Field } = formOf(changeMachine)

type Resumption = Extract<BodyOf<typeof changeMachine>, { action: 'resume' }>

/** Actions of the site whose fields are filled on the form of their step. */
const onForm: readonly MachineAction[] = [
  'save',
  'file',
  'noticeInstall',
  'install',
  'selfCheck',
  'saveTest',
  'staff',
  'retest',
  'noticeDismantle',
  'dismantle',
]

/** What the caller may do now, as the server offers it; what he may not do yet stands below with what is missing. */
export function MachineHandling({ file }: { file: MachineDetail }) {
  const go = useGo()
  const [resuming, setResuming] = useState(false)
  const act = useAct(changeMachine, { success: '已办理' })
  const mayOrder = useCan('supervision.rectifyIssue')
  const key = { params: { id: file.id }, query: { projectCode: file.projectCode } }
  const { version } = file
  const may = (action: MachineAction) => file.actions.some((one) => one.action === action)
  const run = (body: BodyOf<typeof changeMachine>) => act.run({ ...key, body })
  const withReason = async (action: 'sendBack' | 'suspend', title: string) => {
    const why = await askReason(title, '原因（至少 5 个字）')
    if (why) await run({ version, action, opinion: why })
  }
  const buttons: Partial<Record<MachineAction, Omit<ItemAction, 'label'>>> = {
    confirm: { main: true, run: () => run({ version, action: 'confirm' }) },
    sendBack: { danger: true, run: () => withReason('sendBack', '退回手续') },
    testPass: { main: true, run: () => run({ version, action: 'testPass' }) },
    register: { main: true, run: () => run({ version, action: 'register' }) },
    suspend: { danger: true, run: () => withReason('suspend', '停用设备') },
    resume: { main: true, run: () => setResuming(true) },
  }
  const actions: ItemAction[] = (Object.keys(machineMoves) as MachineAction[]).flatMap((action) => {
    if (!may(action)) return []
    const button = buttons[action]
    if (button) return [{ ...button, label: machineMoves[action].label }]
    return onForm.includes(action) ? [{ label: machineMoves[action].label, run: () => go(paths.edit, { id: file.id, step: action }) }] : []
  })
  if (mayOrder)
    actions.push({
      label: '派生整改',
      run: () => go('/safetySupervisionRectification/edit', { project: file.projectCode, sourceKind: 'spdevice', sourceId: file.id }),
    })
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running} none="现在不由您办理">
        {file.blocked.map(({ action, label, missing }) => (
          <div key={action}>
            <Button size="large" block disabled>
              {label}
            </Button>
            <ul className="machine-missing" aria-label={`${label}还缺`}>
              {missing.map((text) => (
                <li key={text} className="tone-danger">
                  {text}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Handling>
      <FormDrawer
        act={act}
        open={resuming}
        title="恢复使用"
        remark="须有检查合格记录"
        onClose={() => setResuming(false)}
        initial={{ action: 'resume', version, date: day(Date.now()), files: [] }}
        input={(body) => ({ ...key, body: { ...(body as Resumption), action: 'resume' as const, version } })}
      >
        <Field name="date" label="检查日期">
          <DayInput max={day(Date.now())} />
        </Field>
        <Field name="opinion" label="检查结果" span="all">
          <LongText rows={3} />
        </Field>
        <Field name="files" label="检查合格记录" span="all">
          <Upload accept="image/*,application/pdf" />
        </Field>
      </FormDrawer>
    </>
  )
}

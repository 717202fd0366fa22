import { advisePour, listPourAdvice } from '@zhugong/contract/monitoring/formwork/pour-advice'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { LongText } from '#kit/inputs.tsx'
import type { Pour } from './formwork-state.ts'

const { Field } = formOf(advisePour)

const shown = 5

/** Advice for the next pour of a bay that is still pending, newest first. */
export function useOpenAdvice(projectCode: string, bayName: string) {
  const { data } = useCall(listPourAdvice, { query: { projectCode, bayName, size: shown } }, { quiet: true, enabled: bayName !== '' })
  return (data?.list ?? []).filter((one) => one.isOpen)
}

/** Adds advice from the analysis, editable, to the check list of the bay's next pour. */
export function GiveAdvice({ pour, text }: { pour: Pick<Pour, 'projectCode' | 'bayName'>; text: string }) {
  const { projectCode, bayName } = pour
  const may = useCan(advisePour, { projectCode })
  const [open, setOpen] = useState(false)
  const given = useOpenAdvice(projectCode, bayName)
  const act = useAct(advisePour, {
    success: '已列入下次浇筑的检查表',
    refreshes: [listPourAdvice],
    onDone: () => setOpen(false),
  })
  return (
    <>
      {given.map((one) => (
        <p key={one.id} className="zg-2">
          {time(one.at).slice(0, 16)} {one.byName} 已列入检查表：{one.text}
        </p>
      ))}
      {may && <Button onClick={() => setOpen(true)}>给出浇筑建议</Button>}
      {open && (
        <FormDrawer
          open
          narrow
          width={460}
          act={act}
          title="给出浇筑建议"
          remark={bayName}
          initial={{ text }}
          input={(body: BodyOf<typeof advisePour>) => ({ query: { projectCode }, body: { ...body, bayName } })}
          onClose={() => setOpen(false)}
        >
          <Field name="text" label="建议" required help="下次开始浇筑时列在检查表里，未确认的须写明原因">
            <LongText rows={6} maxLength={500} />
          </Field>
        </FormDrawer>
      )}
    </>
  )
}

import { policyLinks, policyStateOf } from '@zhugong/contract/policies/model'
import { changePolicy, listPolicies, type PolicyRow } from '@zhugong/contract/policies/policies'
import { useAct, useCall } from '#kit/call.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'

const { Field } = formOf(changePolicy)
const none = { projectCode: '*' }
/** Texts offered, the newest first. */
const mostOffered = 100

/** Marks a published text as changed or ended; both texts show the link. */
export function EndDrawer({ row, onClose }: { row: PolicyRow; onClose: () => void }) {
  const { data } = useCall(listPolicies, { query: { ...none, size: mostOffered, state: [policyStateOf.published] } }, { quiet: true })
  const act = useAct(changePolicy, { success: '已标记', onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={520}
      act={act}
      title="标记修改或废止"
      remark={row.title}
      initial={{ action: 'repeal', version: row.version, link: 'repeal', successor: null }}
      input={(body: BodyOf<typeof changePolicy>) => ({ params: { id: row.id }, query: none, body })}
      onClose={onClose}
    >
      <Field name="link" label="本文已被" required>
        <Choice clear={false} options={Object.entries(policyLinks).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="successor" label="由哪份文本" help="废止而没有替代文本时可不选">
        <Choice
          loading={!data}
          options={(data?.list ?? [])
            .filter((one) => one.id !== row.id)
            .map((one) => ({ value: one.id, label: [one.title, one.docNo].filter(Boolean).join(' ') }))}
        />
      </Field>
      <Field name="since" label="自何日起" required>
        <DayInput />
      </Field>
    </FormDrawer>
  )
}

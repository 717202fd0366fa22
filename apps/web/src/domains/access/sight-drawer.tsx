import { permissionModules } from '@zhugong/contract/access/codes'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { liftSight, type SightRule, seeingParts, setSight } from '@zhugong/contract/access/sight'
import { Button } from 'antd'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Empty, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, DayInput, LongText } from '#kit/inputs.tsx'
import { useGroupType } from '#kit/me.ts'

const { Field } = formOf(setSight, liftSight)

/** Subject of a visibility rule, with preselected values. */
export type SightSubject =
  | { kind: 'member'; memberId: string; name: string }
  | { kind: 'role'; roleId: string; name: string }
  | { kind: 'party'; name: string }
export interface SightStart {
  subject: SightSubject
  projectCode: string
  projectName: string
  shows: boolean
}

/** Modules available to members of a group of this type. */
const modulesFor = (type: number) =>
  permissionModules.flatMap((one) => (one.permissions.some((p) => p.types.includes(type)) ? [{ value: one.module, label: one.name }] : []))

/** Shows its buttons only to callers who may set visibility. Hidden for the platform: it sees every project and leaves visibility to each group. */
export function MayChangeSight({ children }: { children: React.ReactNode }) {
  return useGroupType() === groupTypes.platform ? null : <Can call={setSight}>{children}</Can>
}

/** Shows or hides one project for a person, a role or a kind of party: modules, end date and reason. */
export function SightDrawer({ start, onClose }: { start: SightStart; onClose: () => void }) {
  const { subject, projectName, shows } = start
  const act = useAct(setSight, { success: '可见范围已调整，几秒内生效' })
  const groupType = useGroupType()
  const isParty = subject.kind === 'party'
  const options = modulesFor(isParty ? groupTypes.corporation : (groupType ?? groupTypes.project))
  const parts = useDicts('projectCorpType').options('projectCorpType')
  const consequence = (body: BodyOf<typeof setSight>) =>
    `${shows ? '他们立即能看到' : '他们立即看不到'}此项目的${Array.isArray(body.modules) ? `所选 ${body.modules.length} 个模块` : '全部模块'}${body.until ? `，至 ${body.until}` : ''}；记入审计。`
  // Ask for confirmation with the consequence before changing what others see.
  const request: typeof act = {
    ...act,
    run: ((input: { body: BodyOf<typeof setSight> }) =>
      act.afterRequesting(
        {
          thing: `${shows ? '增加' : '移除'}${subject.name}对“${projectName}”的可见范围`,
          consequence: consequence(input.body),
          verb: shows ? '增加' : '移除',
          keep: '再想想',
        },
        input,
      )) as typeof act.run,
  }
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={request}
      schema={setSight.schemas.body}
      title={isParty ? '对参建类型隐藏模块' : shows ? '手工增加可见' : '手工移除可见'}
      remark={isParty ? projectName : `${subject.name} · ${projectName}`}
      saveText={shows ? '增加' : '移除'}
      initial={{
        projectCode: start.projectCode,
        shows,
        memberId: subject.kind === 'member' ? subject.memberId : null,
        roleId: subject.kind === 'role' ? subject.roleId : null,
        readOnly: shows,
      }}
      input={(body) => ({
        body: {
          ...body,
          projectCode: start.projectCode,
          shows,
          readOnly: shows && body.readOnly,
          memberId: subject.kind === 'member' ? subject.memberId : null,
          roleId: subject.kind === 'role' ? subject.roleId : null,
          party: body.party ?? null,
          modules: Array.isArray(body.modules) && body.modules.length > 0 ? body.modules : null,
          until: body.until ?? null,
        },
      })}
      onClose={onClose}
    >
      {isParty && (
        <Field name="party" label="参建类型" required help="监理、建设和施工总承包单位看得到整个项目，不能隐藏">
          <Choice options={parts.filter((one) => !seeingParts.includes(one.value))} />
        </Field>
      )}
      <Field name="modules" label="模块" required={false} help="不选为全部模块">
        <Choices options={options} />
      </Field>
      {shows && (
        <Field name="readOnly" label="范围">
          <ReadOnlyChoice />
        </Field>
      )}
      <Field name="until" label="至（含当日）" required={false} help="不填为一直有效">
        <DayInput />
      </Field>
      <Field name="reason" label="原因">
        <LongText />
      </Field>
    </FormDrawer>
  )
}

const reaches = [
  { value: 'view', label: '只读' },
  { value: 'all', label: '与其角色相同' },
]
function ReadOnlyChoice({ value, onChange, ...rest }: { value?: boolean; onChange?: (next: boolean) => void }) {
  return (
    <Choice
      {...rest}
      clear={false}
      options={reaches}
      value={value === false ? 'all' : 'view'}
      onChange={(next) => onChange?.(next !== 'all')}
    />
  )
}

/** Manual visibility rules with reason, author and end date; rules that hide a project are highlighted. */
export function SightRules({ rules, of }: { rules: readonly SightRule[]; of: 'project' | 'subject' }) {
  const act = useAct(liftSight, { success: '已撤销，几秒内生效' })
  if (rules.length === 0) return <Empty small text="没有手工增减" />
  const lift = (rule: SightRule) =>
    act.afterRequesting(
      {
        thing: `撤销对${rule.subjectName}的手工${rule.shows ? '增加' : '移除'}`,
        consequence: rule.shows
          ? `${rule.subjectName}立即看不到“${rule.projectName}”的这些内容。`
          : `${rule.subjectName}立即恢复看到“${rule.projectName}”。`,
        verb: '撤销',
        keep: '保留',
      },
      { params: { id: rule.id } },
    )
  return (
    <ul className="acc-list">
      {rules.map((rule) => (
        <li key={rule.id}>
          {of === 'project' ? rule.subjectName : rule.projectName}
          <span className="acc-code">{kinds[rule.kind]}</span>
          <Tag tone={rule.over ? 'neutral' : rule.shows ? 'fine' : 'danger'}>
            {rule.over ? '已到期' : rule.shows ? (rule.readOnly ? '手工增加（只读）' : '手工增加') : '手工移除'}
          </Tag>
          <Can call={liftSight}>
            <Button type="link" size="small" onClick={() => void lift(rule)}>
              撤销
            </Button>
          </Can>
          <span className="why">
            {of === 'subject' && rule.kind === 'role' && `角色 ${rule.subjectName}；`}
            {rule.modules ? rule.moduleNames.join('、') : '全部模块'}；{rule.until ? `至 ${rule.until}` : '一直有效'}；{rule.reason}（
            {rule.grantBy} {rule.createTime}）
          </span>
        </li>
      ))}
    </ul>
  )
}
const kinds = { member: '人员', role: '角色', party: '参建类型' } as const

import { type CampaignPerson, campaignPeople, createCampaign } from '@zhugong/contract/campaigns/calls'
import type { MemberInput } from '@zhugong/contract/campaigns/moves'
import { Button, Checkbox, Input } from 'antd'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { useDicts } from '#kit/dicts.ts'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { AreaInput, Choice, Choices } from '#kit/inputs.tsx'

const { Field, FieldList } = formOf(createCampaign)
const anywhere = { projectCode: '*' }
const mostOfGroup = 10

type Member = Partial<MemberInput>
interface Known {
  users: readonly CampaignPerson[]
  experts: readonly CampaignPerson[]
}

/** Accounts of the institution, or experts of its library, with what speaks against each. */
const usePeople = (kind: 'user' | 'expert') => useCall(campaignPeople, { query: { ...anywhere, kind } }, { quiet: true }).data?.list ?? []

const optionsOf = (people: readonly CampaignPerson[]) =>
  people.map(({ id, name, unit, conflicts }) => ({
    value: id,
    label: `${name}（${unit}）${conflicts > 0 ? ` · 须回避 ${conflicts} 个项目` : ''}`,
  }))

/** Groups of persons and experts; whoever must not check some of the projects is warned of, and never assigned to them. */
export function Groups() {
  const users = usePeople('user')
  const experts = usePeople('expert')
  return (
    <FieldGroup title="检查组" remark="每组至少两人、一名组长；专家可另配本机构账号，没有账号的在组长平板上签字">
      <div className="zg-span-all">
        <FieldList name="groups" add="增加检查组" max={20}>
          {({ name, remove, index }) => (
            <fieldset className="campaign-group">
              <div className="campaign-group-head">
                <Field name={name('name')} label="组名" required>
                  <Input maxLength={30} />
                </Field>
                <Field name={name('areaCode')} label="检查片区">
                  <AreaInput placeholder="不限" />
                </Field>
                <button type="button" className="zg-bare zg-link" onClick={remove} aria-label={`删除本组：第 ${index + 1} 组`}>
                  删除本组
                </button>
              </div>
              <Field name={name('members')} label="成员" span="all" required>
                <Members users={users} experts={experts} />
              </Field>
            </fieldset>
          )}
        </FieldList>
      </div>
    </FieldGroup>
  )
}

function Members({ value, onChange, users, experts }: Control<Member[]> & Known) {
  const disciplines = useDicts('checkDiscipline').options('checkDiscipline')
  const rows = value ?? []
  const set = (at: number, part: Member) => onChange?.(rows.map((one, i) => (i === at ? { ...one, ...part } : one)))
  // A group has one leader.
  const lead = (at: number) => onChange?.(rows.map((one, i) => ({ ...one, leader: i === at })))
  return (
    <div className="campaign-members">
      {rows.map((one, at) => (
        <div key={at} className="campaign-member">
          <Choice
            aria-label={`第 ${at + 1} 名的账号`}
            placeholder="人员账号"
            options={optionsOf(users)}
            value={one.userId}
            onChange={(userId) => set(at, { userId: userId ?? null })}
          />
          <Choice
            aria-label={`第 ${at + 1} 名的专家`}
            placeholder="专家"
            options={optionsOf(experts)}
            value={one.expertId}
            onChange={(expertId) => set(at, { expertId: expertId ?? null })}
          />
          <Choices
            aria-label={`第 ${at + 1} 名负责的专业`}
            placeholder="负责专业"
            options={disciplines}
            value={one.disciplines}
            onChange={(next) => set(at, { disciplines: next ?? [] })}
          />
          <Checkbox checked={one.leader ?? false} onChange={() => lead(at)}>
            组长
          </Checkbox>
          <button
            type="button"
            className="zg-bare zg-link"
            onClick={() => onChange?.(rows.filter((_, i) => i !== at))}
            aria-label={`删除第 ${at + 1} 名成员`}
          >
            删除
          </button>
        </div>
      ))}
      <Button size="small" disabled={rows.length >= mostOfGroup} onClick={() => onChange?.([...rows, { leader: rows.length === 0 }])}>
        增加成员
      </Button>
      <Warnings members={rows} users={users} experts={experts} />
    </div>
  )
}

function Warnings({ members, users, experts }: Known & { members: readonly Member[] }) {
  const known = members.flatMap(({ userId, expertId }) => [
    ...users.filter((one) => one.id === userId),
    ...experts.filter((one) => one.id === expertId),
  ])
  const warned = known.filter((one) => one.conflicts > 0)
  if (warned.length === 0) return null
  return (
    <ul className="campaign-warnings tone-warning">
      {warned.map((one) => (
        <li key={one.id}>
          {one.name}须回避 {one.conflicts} 个项目：
          {one.examples.map(({ projectName, why }) => `${projectName}（${why}）`).join('、')}
          {one.conflicts > one.examples.length && '等'}
        </li>
      ))}
    </ul>
  )
}

import { permissionName } from '@zhugong/contract/access/codes'
import { listRoles } from '@zhugong/contract/access/endpoints'
import { createTempRole, endTempRole, type TempRole, updateTempRole } from '@zhugong/contract/access/role-work'
import { usersByGroup } from '@zhugong/contract/access/users'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useGrants } from '#kit/can.tsx'
import { Notice, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, Choices, DayInput, LongText } from '#kit/inputs.tsx'
import { lastDayOf, useDelegationWords } from './delegation-words.ts'
import { MembershipDrawer } from './membership-drawer.tsx'

const { Field } = formOf(createTempRole, updateTempRole)

const mostChoices = 500

/** Members and projects of the caller's own group, as options. */
export function useOwnChoices() {
  const people = useCall(usersByGroup, { query: { size: mostChoices } }, { quiet: true })
  const projects = useCall(pickProjects, { query: { size: mostChoices } }, { quiet: true })
  return {
    people: (people.data?.list ?? []).map((one) => ({ value: one.memberId, label: `${one.name}（${one.account}）` })),
    projects: (projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name })),
    loading: people.isPending || projects.isPending,
    asked: [people, projects],
  }
}

interface NewTempProps {
  /** Preselected members. */
  memberIds?: readonly string[]
  onClose: () => void
}

/** Grants a temporary role: codes, members, projects, end date and reason. */
export function NewTempDrawer({ memberIds = [], onClose }: NewTempProps) {
  const act = useAct(createTempRole, { success: '临时角色已授予' })
  const { people, projects, loading } = useOwnChoices()
  const roles = useCall(listRoles, { query: { size: 200 } }, { quiet: true })
  const words = useDelegationWords()
  const current = useGrants((grants) => grants.features)
  const [from, setFrom] = useState<string>()
  const role = roles.data?.list.find((one) => one.id === from)
  const codes = current.map((code) => ({ value: code, label: permissionName(code) }))
  return (
    <FormDrawer
      key={from ?? 'none'}
      open
      act={act}
      title="授予临时角色"
      saveText="授予"
      initial={{
        memberIds: [...memberIds],
        codes: role?.codes.filter((code) => current.includes(code)),
        name: role?.name,
        startTime: day(Date.now()),
      }}
      input={(body) => ({ body: { ...body, projects: body.projects?.length ? body.projects : null } })}
      onClose={onClose}
    >
      {words.temporary && <Notice tone="warning">{words.temporary}</Notice>}
      <div className="zg-span-all">
        <Choice
          value={from}
          onChange={setFrom}
          options={(roles.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))}
          loading={roles.isPending}
        />
        <span className="zg-2">先选一个角色带入权限，再按需增减；您没有的权限不会带入</span>
      </div>
      <Field name="name" label="名称">
        <Input />
      </Field>
      <Field name="memberIds" label="人员" help="只列本组的成员；其他机构的人员由其所在机构授予">
        <Choices options={people} loading={loading} />
      </Field>
      <Field name="codes" label="权限" span="all">
        <Choices options={codes} />
      </Field>
      <Field name="projects" label="项目" span="all" help="不选为本组全部项目">
        <Choices options={projects} loading={loading} />
      </Field>
      <Field name="startTime" label="开始">
        <DayInput />
      </Field>
      <Field name="endTime" label="结束（含当日）" help={`${words.mostDays}，不能长于您自己的权限期限`}>
        <DayInput />
      </Field>
      <Field name="reason" label="原因" span="all">
        <LongText />
      </Field>
    </FormDrawer>
  )
}

export function ExtendTempDrawer({ role, onClose }: { role: TempRole; onClose: () => void }) {
  const act = useAct(updateTempRole, { success: '临时角色已修改' })
  const { people, loading } = useOwnChoices()
  return (
    <MembershipDrawer
      act={act}
      title="修改临时角色"
      remark={role.name}
      initial={{
        endTime: lastDayOf(role.endTime),
        reason: role.reason,
        memberIds: role.memberIds,
        version: role.version,
      }}
      input={(body) => ({ params: { id: role.id }, body: { ...body, version: role.version } })}
      until={{ name: 'endTime', label: '结束（含当日）' }}
      reason
      onClose={onClose}
    >
      <Notice tone="info">
        {role.codes.length} 项权限，{role.projectNames.join('、') || '本组全部项目'}；权限与项目不能改，需要时另行授予
      </Notice>
      <Field name="memberIds" label="人员">
        <Choices options={people} loading={loading} />
      </Field>
    </MembershipDrawer>
  )
}

/** Ends a temporary role immediately; its record is kept. */
export function useEndTemp() {
  const act = useAct(endTempRole, { success: '临时角色已结束' })
  return (role: TempRole) =>
    act.afterRequesting(
      {
        thing: `结束临时角色 ${role.name}`,
        consequence: `${role.people.join('、')} 立即失去这些权限；记录保留。`,
        verb: '现在结束',
        keep: '继续生效',
      },
      { params: { id: role.id } },
    )
}

const states = { early: ['neutral', '未开始'], running: ['fine', '生效中'], over: ['neutral', '已结束'] } as const
export const tempStateOptions = Object.entries(states).map(([value, [, label]]) => ({ value, label }))
export function TempState({ state }: { state: TempRole['state'] }) {
  const [tone, label] = states[state]
  return (
    <Tag tone={tone} icon={false}>
      {label}
    </Tag>
  )
}

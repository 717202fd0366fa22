import { listApps } from '@zhugong/contract/apps/app-endpoints'
import { holderName } from '@zhugong/contract/apps/codes'
import {
  createGrant,
  type GrantRow,
  getGrant,
  grantsOf,
  grantTargets,
  revokeGrant,
  updateGrant,
} from '@zhugong/contract/apps/grant-endpoints'
import { Input } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, TableSkeleton } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, DayInput, LongText } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { RowActions } from '#kit/row-actions.tsx'
import { AppName, Ending, StateTag } from './parts.tsx'

const { Field, useValue } = formOf(createGrant, updateGrant)

/** Grants apps to a group until a day. */
export function GrantDrawer({ groupId, apps, onClose }: { groupId?: string | undefined; apps?: readonly string[]; onClose: () => void }) {
  const act = useAct(createGrant, {
    success: ({ ids, added }) => `已授权 ${ids.length} 个应用${added.length ? `，一并开通 ${added.join('、')}` : ''}`,
  })
  return (
    <FormDrawer open act={act} title="新增授权" initial={{ groupId, apps, deadline: null }} saveText="授权" onClose={onClose}>
      <GrantFields />
    </FormDrawer>
  )
}

function GrantFields() {
  const targets = useCall(grantTargets, { query: {} }, { quiet: true })
  const available = useCall(listApps, { query: { size: 200, enable: '1' } }, { quiet: true })
  const groupId = useValue('groupId')
  const wanted = useValue('apps') ?? []
  const target = targets.data?.list.find((one) => one.id === groupId)
  const fitting = (available.data?.list ?? []).filter((app) => !app.base && (!target || app.groupTypes.includes(target.type)))
  const needed = [...new Set(fitting.filter((app) => wanted.includes(app.id)).flatMap((app) => app.prerequisites))].filter(
    (one) => !wanted.includes(one.id),
  )
  return (
    <>
      <Field name="groupId" label="授权对象" span="all">
        <Choice
          loading={targets.isPending}
          options={(targets.data?.list ?? []).map((one) => ({
            value: one.id,
            label: `${one.name}（${holderName(one.type)}${one.areaName ? ` · ${one.areaName}` : ''}）`,
          }))}
        />
      </Field>
      <Field
        name="apps"
        label="应用"
        span="all"
        help={needed.length > 0 ? `还需要 ${needed.map((one) => one.name).join('、')}，对方没有时一并开通` : undefined}
      >
        <Choices loading={available.isPending} options={fitting.map((app) => ({ value: app.id, label: app.name }))} />
      </Field>
      <Field name="start" label="开始日" help="不填即今天">
        <DayInput />
      </Field>
      <Field name="deadline" label="到期日" help="不填即长期；最后一天仍可使用">
        <DayInput />
      </Field>
      <Field name="contractNo" label="合同号">
        <Input />
      </Field>
      <Field name="reason" label="事由" span="all">
        <LongText />
      </Field>
    </>
  )
}

/** Apps of a group with their end dates: the expanded row of the list. */
export function GroupGrants({ groupId }: { groupId: string }) {
  const read = useCall(grantsOf, { query: { groupId, size: 200 } }, { quiet: true, keepPrevious: true })
  const [open, setOpen] = useState<string>()
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <TableSkeleton rows={4} columns={5} />
  if (read.data.list.length === 0) return <Empty small text="没有应用" />
  return (
    <>
      <table className="apps-table">
        <thead>
          <tr>
            <th>应用</th>
            <th>状态</th>
            <th>期限</th>
            <th>授权人</th>
            <th>合同号</th>
            <th className="num">近 7 日使用</th>
            <th>操作</th>
          </tr>
        </thead>
        <tbody>
          {read.data.list.map((grant) => (
            <tr key={grant.id}>
              <td>
                <AppName icon={grant.appIcon} name={grant.appName} />
              </td>
              <td>
                <StateTag state={grant.state} />
              </td>
              <td>
                {grant.start} 至 <Ending deadline={grant.deadline} leftTime={grant.leftTime} />
              </td>
              <td>{grant.grantBy ?? '--'}</td>
              <td>{grant.contractNo ?? '--'}</td>
              <td className="num">{grant.users} 人</td>
              <td>
                <GrantActions grant={grant} onOpen={() => setOpen(grant.id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open && <GrantFile id={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** Row actions: change and revoke for the group that gave the grant, read for others. */
export function GrantActions({ grant, onOpen }: { grant: GrantRow; onOpen: () => void }) {
  const revoke = useAct(revokeGrant, { success: ({ revoked }) => `已撤销 ${revoked} 条授权` })
  const take = async () => {
    const reason = await askReason(`撤销 ${grant.groupName} 的“${grant.appName}”`, '撤销原因')
    if (!reason) return
    const below = grant.children > 0 ? `由它下发的 ${grant.children} 条一并撤销；` : ''
    await revoke.afterRequesting(
      {
        thing: `撤销 ${grant.groupName} 的“${grant.appName}”`,
        consequence: `${below}菜单随即隐藏。门禁、设备、考勤保存和监管对接不停，数据不删除，重新授权后恢复。`,
        verb: '撤销授权',
        keep: '保留',
      },
      { params: { id: grant.id }, query: { reason } },
    )
  }
  return (
    <RowActions
      items={[
        { label: grant.mayChange ? '期限与记录' : '查看', onClick: onOpen },
        ...(grant.mayChange ? [{ label: '撤销', danger: true, onClick: take }] : []),
      ]}
    />
  )
}

/** One grant: term, grants derived from it, and history. */
export function GrantFile({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useCall(getGrant, { params: { id } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateGrant, {
    success: ({ shortened }) => (shortened > 0 ? `已保存，${shortened} 条下发的授权随之提前到期` : '已保存'),
  })
  const grant = read.data
  if (!grant || read.isFetching)
    return (
      <PageDrawer open size={720} title="授权" onClose={onClose}>
        {read.error ? <ErrorPanel error={read.error} retry={read.refetch} /> : <DetailSkeleton />}
      </PageDrawer>
    )
  const facts = (
    <Pairs
      items={[
        { label: '对象', value: grant.groupName },
        { label: '应用', value: grant.appName },
        { label: '状态', value: <StateTag state={grant.state} /> },
        { label: '开始日', value: grant.start },
        { label: '授权人', value: grant.grantBy },
        { label: '近 7 日使用', value: `${grant.users} 人${grant.everUsed ? '' : '，从未使用'}` },
      ]}
    />
  )
  if (!grant.mayChange)
    return (
      <PageDrawer open size={720} title={grant.appName} onClose={onClose}>
        {facts}
        <Pairs items={[{ label: '期限', value: <Ending deadline={grant.deadline} leftTime={grant.leftTime} /> }]} />
        <History of={grant.history} />
      </PageDrawer>
    )
  return (
    <FormDrawer
      open
      act={act}
      title={`${grant.appName} 的授权`}
      remark={grant.groupName}
      initial={{ deadline: grant.deadline, contractNo: grant.contractNo, version: grant.version }}
      input={(body) => ({ params: { id }, body: { ...body, deadline: body.deadline ?? null, version: grant.version } })}
      onClose={onClose}
    >
      <div className="zg-span-all">{facts}</div>
      <Field name="deadline" label="到期日" help="不填即长期；最后一天仍可使用">
        <DayInput />
      </Field>
      <Field name="contractNo" label="合同号">
        <Input />
      </Field>
      <Field name="reason" label="原因" span="all">
        <LongText />
      </Field>
      <Effect below={grant.below} />
      <History of={grant.history} />
    </FormDrawer>
  )
}

/** Effect of a new end date on the grants derived from this one. */
function Effect({ below }: { below: readonly { id: string; groupName: string; deadline: string | null }[] }) {
  const next = useValue('deadline') ?? null
  if (below.length === 0) return null
  const hit = next === null ? [] : below.filter((one) => one.deadline === null || one.deadline > next)
  return (
    <div className="zg-span-all">
      <Notice tone={hit.length > 0 ? 'warning' : 'info'}>
        由它下发 {below.length} 条授权
        {hit.length > 0 &&
          `，其中 ${hit.length} 条随之提前到 ${next}：${hit
            .slice(0, 5)
            .map((one) => one.groupName)
            .join('、')}${hit.length > 5 ? ' 等' : ''}`}
      </Notice>
    </div>
  )
}

function History({ of }: { of: readonly { at: string; by: string; summary: string }[] }) {
  if (of.length === 0) return null
  return (
    <div className="zg-span-all">
      <ul className="zg-differences">
        {of.map((one) => (
          <li key={`${one.at} ${one.summary}`}>
            {one.at} {one.by}：{one.summary}
          </li>
        ))}
      </ul>
    </div>
  )
}

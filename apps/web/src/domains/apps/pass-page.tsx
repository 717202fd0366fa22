import { listApps } from '@zhugong/contract/apps/app-endpoints'
import { holderName, isBeyond } from '@zhugong/contract/apps/codes'
import { createGrant, type GrantRow, grantsOf, grantTargets } from '@zhugong/contract/apps/grant-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType, useMe } from '#kit/me.ts'
import { PageModal } from '#kit/overlay.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import { GrantActions, GrantFile } from './grant-drawers.tsx'
import { AppName, Ending, StateTag } from './parts.tsx'

/** Passes apps of the caller's group on to one project or subordinate group: apps held compared with apps given. */
export default function PassPage() {
  const targets = useCall(grantTargets, { query: {} }, { quiet: true, keepPrevious: true })
  const [chosen, setChosen] = useState<string>()
  if (targets.error) return <ErrorPanel error={targets.error} retry={targets.refetch} />
  if (!targets.data) return <DetailSkeleton />
  const target = targets.data.list.find((one) => one.id === chosen) ?? targets.data.list[0]
  return (
    <PageShell fill remark="下发的期限不超过本组自己的；本组到期，下发的随之到期">
      <SidePanel
        title="我们的项目与机构"
        width={280}
        searchPlaceholder="名称"
        nodes={[...Map.groupBy(targets.data.list, (one) => one.type)].map(([type, list]) => ({
          key: `type ${type}`,
          title: holderName(type),
          count: list.length,
          children: list.map((one) => ({
            key: one.id,
            title: one.ending > 0 ? `${one.name} · ${one.ending} 个将到期` : one.name,
            count: one.apps,
          })),
        }))}
        selected={target?.id}
        onSelect={(key) => !key?.startsWith('type ') && setChosen(key)}
      />
      {target ? (
        <Holdings key={target.id} target={target} />
      ) : (
        <Empty text="没有可以下发的项目或下级机构" hint="本组牵头或建设的项目、下级机构会列在这里" />
      )}
    </PageShell>
  )
}

interface Target {
  id: string
  name: string
  type: number
}

function Holdings({ target }: { target: Target }) {
  const isPlatform = useGroupType() === 0
  const own = useMe((me) => me.info?.groupId) ?? ''
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true })
  const ours = useCall(grantsOf, { query: { groupId: own, size: 200 } }, { quiet: true, enabled: !isPlatform })
  const theirs = useCall(grantsOf, { query: { groupId: target.id, size: 500 } }, { quiet: true, keepPrevious: true })
  const [file, setFile] = useState<string>()
  const [giving, setGiving] = useState<{ id: string; name: string; limit: string | null }>()
  const error = apps.error ?? ours.error ?? theirs.error
  if (error) return <ErrorPanel error={error} retry={() => Promise.all([apps.refetch(), ours.refetch(), theirs.refetch()])} />
  if (!apps.data || !theirs.data || (!isPlatform && !ours.data)) return <DetailSkeleton />
  const best = (list: readonly GrantRow[], appId: string) =>
    list
      .filter((grant) => grant.appId === appId)
      .reduce<GrantRow | undefined>((one, grant) => (one && !isBeyond(grant.deadline, one.deadline) ? one : grant), undefined)
  const available = apps.data.list.filter((app) => !app.base && app.groupTypes.includes(target.type))
  const has = available.filter((app) => best(theirs.data.list, app.id)).length
  return (
    <div className="zg-column">
      <Card title={target.name} remark={`${holderName(target.type)}，已有 ${has} / ${available.length} 个应用`} flush>
        <div className="apps-scroll">
          <table className="apps-table">
            <thead>
              <tr>
                <th>应用</th>
                <th>本组持有</th>
                <th>对方现有</th>
                <th>来源</th>
                <th className="num">近 7 日使用</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {available.map((app) => {
                const mine = isPlatform ? undefined : best(ours.data?.list ?? [], app.id)
                const there = theirs.data.list.filter((grant) => grant.appId === app.id)
                const shown = best(there, app.id)
                const ourGrant = there.find((grant) => grant.mayChange)
                const mayGive = isPlatform || (mine && (mine.state === 'valid' || mine.state === 'ending'))
                return (
                  <tr key={app.id}>
                    <td>
                      <AppName icon={app.icon} name={app.name}>
                        {app.categoryName}
                      </AppName>
                    </td>
                    <td>
                      {isPlatform ? (
                        '平台'
                      ) : mine ? (
                        <Ending deadline={mine.deadline} leftTime={mine.leftTime} />
                      ) : (
                        <span className="zg-2">没有</span>
                      )}
                    </td>
                    <td>
                      {shown ? (
                        <>
                          <StateTag state={shown.state} /> <Ending deadline={shown.deadline} leftTime={shown.leftTime} />
                        </>
                      ) : (
                        <span className="zg-2">没有</span>
                      )}
                    </td>
                    <td>
                      {there.map((grant) => (
                        <Tag key={grant.id} icon={false} tone={grant.mayChange ? 'fine' : 'neutral'}>
                          {grant.parentGrantId ? `${grant.grantBy ?? '上级'} 下发` : '平台直接授权'}
                        </Tag>
                      ))}
                    </td>
                    <td className="num">{shown ? (shown.everUsed ? `${shown.users} 人` : '从未使用') : '--'}</td>
                    <td>
                      {ourGrant ? (
                        <GrantActions grant={ourGrant} onOpen={() => setFile(ourGrant.id)} />
                      ) : (
                        mayGive && (
                          <Button size="small" onClick={() => setGiving({ id: app.id, name: app.name, limit: mine?.deadline ?? null })}>
                            {isPlatform ? '授权' : '下发'}
                          </Button>
                        )
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      </Card>
      {file && <GrantFile id={file} onClose={() => setFile(undefined)} />}
      {giving && <GiveOne app={giving} target={target} onClose={() => setGiving(undefined)} />}
    </div>
  )
}

function GiveOne({
  app,
  target,
  onClose,
}: {
  app: { id: string; name: string; limit: string | null }
  target: Target
  onClose: () => void
}) {
  const [deadline, setDeadline] = useState<string | undefined>(app.limit ?? undefined)
  const act = useAct(createGrant, {
    success: ({ added }) => (added.length ? `已下发，一并下发 ${added.join('、')}` : '已下发'),
    onDone: onClose,
  })
  return (
    <PageModal
      open
      title={`下发“${app.name}”给 ${target.name}`}
      okText="下发"
      confirmLoading={act.running}
      onOk={() => void act.run({ body: { groupId: target.id, apps: [app.id], deadline: deadline ?? null } })}
      onCancel={onClose}
    >
      <Notice tone="info">
        {app.limit ? `本组到 ${app.limit} 为止，下发不能更长` : '本组长期持有，不填到期日即长期'}；需要的其他应用一并下发。
      </Notice>
      <DayInput aria-label="到期日" placeholder="到期日" value={deadline} max={app.limit || undefined} onChange={setDeadline} />
    </PageModal>
  )
}

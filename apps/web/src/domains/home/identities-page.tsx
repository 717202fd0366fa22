import { groupTypes } from '@zhugong/contract/access/group-types'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { ownGroups } from '@zhugong/contract/identity/endpoints'
import { listOwnProjects } from '@zhugong/contract/identity/own-projects'
import { leaveGroup } from '@zhugong/contract/organisation/org'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useEnter } from '#kit/enter.ts'
import { DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'
import { useMe } from '#kit/me.ts'
import { NoticeStrip } from './notice-strip.tsx'
import { OwnProjects } from './own-projects.tsx'
import './home.css'

const typeNames = ['平台', '监管', '企业', '项目']

/** Selection of group and project, for people with several memberships. */
export default function IdentitiesPage() {
  const enterScope = useEnter()
  const { info, settings } = useMe()
  const hotline = info?.help.servicePhone || settings?.serviceHotline
  const { data, error, refetch } = useCall(ownGroups, {}, { quiet: true })
  // Only the numbers; the to-dos are listed after entering a group.
  const todos = useCall(listTodos, { query: { group: '*', size: 1 } }, { quiet: true })
  const own = useCall(listOwnProjects, {}, { quiet: true })
  const leave = useAct(leaveGroup, { success: '已退出', onDone: () => window.location.reload() })
  const [asDefault, setAsDefault] = useState(false)
  const [entering, setEntering] = useState<string>()
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  // Wait for the part above the memberships, which would otherwise push them down.
  if (!data || own.isPending) return <DetailSkeleton />
  const enter = async (groupId: string) => {
    setEntering(groupId)
    await enterScope({ groupId, makeDefault: asDefault ? true : undefined }, '/main')
    setEntering(undefined)
  }
  return (
    <main className="identities">
      <header>
        <img src="/logo.svg" alt="" height="36" />
        <div>
          <h1>{info?.name}，选择要进入的身份</h1>
          <span className="zg-2">各身份的数据与权限相互独立，进入后可在左上角随时切换</span>
        </div>
        <Checkbox checked={asDefault} onChange={(e) => setAsDefault(e.target.checked)}>
          下次直接进入所选身份
        </Checkbox>
      </header>
      <NoticeStrip />
      {data.list.length === 0 ? (
        <Empty text="您还没有加入任何机构或项目" hint="请联系本单位管理员添加" />
      ) : (
        <>
          {own.data ? <OwnProjects {...own.data} /> : <ErrorPanel error={own.error} retry={own.refetch} />}
          <div className="identities-grid">
            {data.list.map((g) => (
              <section key={g.id} className={`zg-card identity ${g.enabled ? '' : 'off'}`}>
                <div className="line">
                  <Tag
                    tone={g.groupsType === groupTypes.government ? 'warning' : g.groupsType === groupTypes.project ? 'running' : 'neutral'}
                    icon={false}
                  >
                    {typeNames[g.groupsType]}
                  </Tag>
                  {g.isDefault && (
                    <Tag tone="fine" icon={false}>
                      默认
                    </Tag>
                  )}
                  {!g.enabled && <Tag tone="danger">{g.offReason ?? '不可用'}</Tag>}
                  <span className="zg-2 right" title={time(g.lastVisit)}>
                    {g.id === info?.groupId ? '当前身份' : g.lastVisit ? `上次进入 ${age(g.lastVisit)}` : '尚未进入'}
                  </span>
                </div>
                <h2>{g.name}</h2>
                <p className="zg-2">
                  {g.roleNames.join('、') || '无角色'}
                  {g.enabled && g.deadline ? `，有效期至 ${g.deadline}` : ''}
                </p>
                {g.endedRoles.length > 0 && (
                  <p className="tone-warning">已到期：{g.endedRoles.map((one) => `${one.name}（${one.until}）`).join('、')}</p>
                )}
                {g.ask.length > 0 && <p className="zg-2">如需恢复，请联系 {g.ask.join('、')}</p>}
                <div className="line">
                  <span>
                    待处理告警 <b className={g.openAlarms ? 'tone-danger' : ''}>{g.openAlarms}</b>
                  </span>
                  <span>
                    待办 <b>{todos.data?.groups.find((one) => one.groupId === g.id)?.count ?? '--'}</b>
                  </span>
                  {g.id === info?.groupId && (
                    <Button
                      type="text"
                      danger
                      className="right"
                      loading={leave.running}
                      onClick={() =>
                        void leave.afterRequesting(
                          {
                            thing: `退出 ${g.name}`,
                            consequence: '您在这里的角色立即失效，须由其管理员重新添加；其他身份和账号不受影响。最后一位管理员须先移交。',
                            verb: '退出',
                            keep: '保留',
                            typeName: g.name,
                            typeLabel: '请输入机构名称确认',
                          },
                          {},
                        )
                      }
                    >
                      退出
                    </Button>
                  )}
                  <Button
                    type={g.id === info?.groupId ? 'primary' : 'default'}
                    disabled={!g.enabled}
                    loading={entering === g.id}
                    onClick={() => void enter(g.id)}
                    className={g.id === info?.groupId ? undefined : 'right'}
                  >
                    进入
                  </Button>
                </div>
              </section>
            ))}
          </div>
        </>
      )}
      <footer className="zg-2">
        筑工 {settings?.version}
        {hotline ? `，服务热线 ${hotline}` : ''}
      </footer>
    </main>
  )
}

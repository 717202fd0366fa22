import { type Explained, getUser } from '@zhugong/contract/access/users'
import { Input, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, Notice, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { riskMark } from './function-tree.tsx'

interface RightsDrawerProps {
  userId: string
  name: string
  groups: readonly { groupId: string; groupName: string }[]
  onClose: () => void
}

const shows = [
  { value: 'held', label: '有的权限' },
  { value: 'lacked', label: '没有的权限' },
]

/** What a person may do in a group, with the reason for each right granted or missing. */
export function RightsDrawer({ userId, name, groups, onClose }: RightsDrawerProps) {
  const [groupId, setGroupId] = useState(groups[0]?.groupId)
  const [show, setShow] = useState('held')
  const [word, setWord] = useState('')
  const { data, error, isPending, refetch } = useCall(
    getUser,
    { params: { id: userId }, query: { with: 'permission', groupId } },
    { quiet: true, enabled: groupId !== undefined },
  )
  const permission = data?.permission
  const fits = (one: Explained) =>
    one.held === (show === 'held') && (!word || `${one.name}${one.code}${one.moduleName}`.toLowerCase().includes(word.toLowerCase()))
  const modules = [...Map.groupBy((permission?.codes ?? []).filter(fits), (one) => one.moduleName)]
  return (
    <PageDrawer open title={`${name} 的有效权限`} onClose={onClose}>
      {groups.length > 1 && (
        <Segmented
          aria-label="所属组"
          value={groupId ?? ''}
          options={groups.map((one) => ({ value: one.groupId, label: one.groupName }))}
          onChange={setGroupId}
        />
      )}
      <div className="acc-row acc-row-wide">
        <Segmented aria-label="显示" value={show} options={shows} onChange={setShow} />
        <Input
          allowClear
          className="acc-name"
          placeholder="名称、权限码、模块"
          aria-label="搜索权限"
          onChange={(event) => setWord(event.target.value.trim())}
        />
      </div>
      {permission?.nothing && (
        <Notice tone="danger">
          {permission.nothing === 'off' ? '账号、所属组或成员资格已停用' : '在本组的有效期已过'}：以下权限都不生效
        </Notice>
      )}
      {groupId === undefined ? (
        <Empty text="尚未加入任何组" hint="没有组就没有任何权限" />
      ) : error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : isPending ? (
        <TableSkeleton rows={8} columns={3} />
      ) : modules.length === 0 ? (
        <Empty small text={show === 'held' ? '没有符合条件的权限' : '没有缺少的权限'} />
      ) : (
        modules.map(([module, codes]) => (
          <Card key={module} title={module} remark={`${codes.length} 项`}>
            <ul className="acc-list">
              {codes.map((one) => (
                <li key={one.code}>
                  {one.name}
                  <span className="acc-code">{one.code}</span>
                  {riskMark(one.risk) && <Tag tone="danger">{riskMark(one.risk)}</Tag>}
                  <span className="why">
                    <Why one={one} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        ))
      )}
    </PageDrawer>
  )
}

type Source = Explained['sources'][number]
const stateWords: Readonly<Record<Source['state'], string>> = {
  holds: '生效中',
  over: '已到期',
  off: '角色已停用',
  early: '尚未开始',
  taken: '被上级从此角色收窄',
}
const handWords = { member: '对本人', role: '对其角色', party: '对本企业的参建类型' } as const
const closedWords = { stopped: '此功能已由平台全局停用', app: '本组未获授权含此功能的应用' }

function Why({ one }: { one: Explained }) {
  return (
    <>
      {one.closed && <span className="tone-danger">{closedWords[one.closed]}；</span>}
      {one.sources.length === 0 && '没有任何角色含此权限'}
      {one.sources.map((source, i) => (
        <span key={`${source.kind}${source.id}`}>
          {i > 0 && '；'}
          {source.kind === 'temporary' ? (
            `临时角色“${source.name}”`
          ) : (
            <>
              角色“<Link to={hrefOf('/system/jurisdictionSet', { roleId: source.id })}>{source.name}</Link>”
            </>
          )}
          {` ${stateWords[source.state]}`}
          {source.until && `，至 ${source.until}`}
          {source.projects && `，只及 ${source.projects.map((project) => project.name).join('、') || '（没有项目）'}`}
        </span>
      ))}
      {one.hands.map(({ kind, shows, project, until }) => (
        <span key={`${kind}${shows}${project.code}`} className={shows ? '' : 'tone-danger'}>
          {`；${handWords[kind]}手工${shows ? '增加' : '移除'} ${project.name}`}
          {until && `，至 ${until}`}
        </span>
      ))}
    </>
  )
}

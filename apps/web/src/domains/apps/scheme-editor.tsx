import { ArrowDownOutlined, ArrowUpOutlined, EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import {
  type Arrangement,
  dropDraft,
  getArrangement,
  listMenus,
  type MenuRow,
  publishScheme,
  type Scheme,
  type SchemeItem,
  saveArrangement,
} from '@zhugong/contract/apps/menu-endpoints'
import { isOn } from '@zhugong/contract/kit/enable'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { call, showFailure } from '#kit/http.ts'
import { usePage } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'

/** Edits one menu scheme: tabs and menus with names, order and hidden entries; a draft until published. */
export function SchemeEditor({ scheme }: { scheme: Scheme }) {
  const page = usePage()
  const menus = useCall(listMenus, { query: {} }, { quiet: true })
  const read = useCall(getArrangement, { params: { id: scheme.id } }, { quiet: true, staleMs: 0 })
  const [drafted, setDrafted] = useState<Arrangement>()
  const save = useAct(saveArrangement, { success: '草稿已保存，发布后生效', onDone: () => setDrafted(undefined) })
  const mayEdit = useCan(saveArrangement)
  useUnsaved(drafted !== undefined, page.cacheKey, page.entry.title)
  const error = menus.error ?? read.error
  if (error) return <ErrorPanel error={error} retry={() => Promise.all([menus.refetch(), read.refetch()])} />
  if (!menus.data || !read.data) return <DetailSkeleton />
  const items = drafted ?? read.data.draft
  const change = (id: string, part: Partial<SchemeItem>) => setDrafted({ ...items, [id]: { ...items[id], ...part } })
  const shown = menus.data.list.filter((menu) => isOn(menu.enable))
  return (
    <Card
      title={scheme.name}
      remark={drafted ? '有未保存的修改' : scheme.dirty ? '草稿与已发布的不同' : '与已发布的相同'}
      flush
      actions={
        mayEdit && (
          <>
            {drafted && <Button onClick={() => setDrafted(undefined)}>撤销修改</Button>}
            <Button
              disabled={!drafted}
              loading={save.running}
              onClick={() => void save.run({ params: { id: scheme.id }, body: { items, version: read.data.version } })}
            >
              保存草稿
            </Button>
            <Publishing scheme={scheme} version={read.data.version} blocked={drafted !== undefined} />
          </>
        )
      }
    >
      <div className="apps-scroll">
        <table className="apps-table">
          <thead>
            <tr>
              <th>菜单</th>
              <th>在此方案中的名称</th>
              <th className="mid">次序</th>
              <th className="mid">显示</th>
            </tr>
          </thead>
          <tbody>
            <Level menus={shown} parentId={null} depth={0} items={items} change={mayEdit ? change : undefined} />
          </tbody>
        </table>
      </div>
    </Card>
  )
}

interface LevelProps {
  menus: readonly MenuRow[]
  parentId: string | null
  depth: number
  items: Arrangement
  change: ((id: string, part: Partial<SchemeItem>) => void) | undefined
}
function Level({ menus, parentId, depth, items, change }: LevelProps) {
  const sisters = menus
    .filter((menu) => menu.parentId === parentId)
    .toSorted((a, b) => (items[a.id]?.sort ?? a.sort) - (items[b.id]?.sort ?? b.sort))
  const swap = (at: number, to: number) => {
    const order = sisters.map((menu) => menu.id)
    const [one = ''] = order.splice(at, 1)
    order.splice(to, 0, one)
    for (const [i, id] of order.entries()) change?.(id, { sort: i * 10 })
  }
  return sisters.map((menu, at) => {
    const item = items[menu.id]
    const hidden = item?.hidden ?? false
    return [
      <tr key={menu.id}>
        <td className={`apps-indent-${depth}`}>
          <span className={hidden ? 'zg-2' : ''}>{menu.title}</span>
        </td>
        <td>
          <Input
            size="small"
            aria-label={`${menu.title} 在此方案中的名称`}
            maxLength={12}
            disabled={!change || hidden}
            placeholder={menu.title}
            value={item?.title ?? ''}
            onChange={(event) => change?.(menu.id, { title: event.target.value || undefined })}
          />
        </td>
        <td className="mid">
          <Button
            size="small"
            type="text"
            icon={<ArrowUpOutlined />}
            disabled={!change || at === 0}
            aria-label={`${menu.title} 上移`}
            onClick={() => swap(at, at - 1)}
          />
          <Button
            size="small"
            type="text"
            icon={<ArrowDownOutlined />}
            disabled={!change || at === sisters.length - 1}
            aria-label={`${menu.title} 下移`}
            onClick={() => swap(at, at + 1)}
          />
        </td>
        <td className="mid">
          <Button
            size="small"
            type="text"
            icon={hidden ? <EyeInvisibleOutlined /> : <EyeOutlined />}
            disabled={!change}
            aria-label={hidden ? `显示 ${menu.title}` : `隐藏 ${menu.title}`}
            onClick={() => change?.(menu.id, { hidden: hidden ? undefined : true })}
          />
        </td>
      </tr>,
      ...(hidden
        ? []
        : [<Level key={`${menu.id} below`} menus={menus} parentId={menu.id} depth={depth + 1} items={items} change={change} />]),
    ]
  })
}

/** Publishes a scheme. A mistake can blank the menus of every user, so the changes and the number of groups are shown first. */
function Publishing({ scheme, version, blocked }: { scheme: Scheme; version: number; blocked: boolean }) {
  const publish = useAct(publishScheme, { success: '已生效，打开的页面随之更新' })
  const drop = useAct(dropDraft, { success: '草稿已放弃' })
  const ask = async (action: 'publish' | 'rollback') => {
    const body = { id: scheme.id, action, version }
    try {
      const { differences, groups } = await call(publishScheme, { body: { ...body, dryRun: true } })
      const word = action === 'publish' ? '发布' : '回退'
      const yes = await confirmDanger({
        thing: `${word}方案 ${scheme.name}`,
        consequence: (
          <>
            {groups} 个组的菜单随之改变，共 {differences.length} 处：
            <ul className="zg-differences">
              {differences.slice(0, 12).map((one) => (
                <li key={one.menuId}>
                  {one.title}：<s className="zg-2">{one.before}</s> → <b>{one.after}</b>
                </li>
              ))}
            </ul>
          </>
        ),
        verb: word,
        keep: '暂不',
      })
      if (yes) await publish.run({ body })
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <>
      {scheme.dirty && scheme.publishedAt !== null && (
        <Button disabled={blocked} onClick={() => void drop.run({ params: { id: scheme.id } })}>
          放弃草稿
        </Button>
      )}
      {scheme.mayRollBack && (
        <Button disabled={blocked} onClick={() => void ask('rollback')}>
          回退上一版
        </Button>
      )}
      <Button type="primary" disabled={blocked || (!scheme.dirty && scheme.publishedAt !== null)} onClick={() => void ask('publish')}>
        发布
      </Button>
    </>
  )
}

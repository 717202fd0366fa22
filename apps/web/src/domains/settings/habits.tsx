import type { MenuNode } from '@zhugong/contract/access/menu'
import { Segmented, TreeSelect } from 'antd'
import { Card } from '#kit/feedback.tsx'
import { useMe } from '#kit/me.ts'
import { firstPath } from '#kit/menu.ts'
import { choosePanels, type PanelLook, panelsKey } from '#kit/panels.ts'
import { usePref } from '#kit/pref-state.ts'
import { startOf, startPageKey } from '#kit/start-page.ts'
import { type Density, defaultDensity, densityKey } from '#kit/table-density.ts'

interface Choice {
  value: string
  title: string
  selectable: boolean
  children: Choice[]
}

/** Menu tree as options; only pages can be selected, directories are headings. */
const choicesOf = (nodes: readonly MenuNode[]): Choice[] =>
  nodes.flatMap((node) => {
    const children = choicesOf(node.children)
    const isPage = node.menuType === 'MENU' && Boolean(node.path)
    return isPage || children.length > 0
      ? [{ value: isPage ? (node.path ?? '') : `menu:${node.id}`, title: node.title, selectable: isPage, children }]
      : []
  })

/** Preferences stored in this browser: start page, density, panels. */
export function Habits() {
  const menu = useMe((me) => me.menu)
  const groupId = useMe((me) => me.info?.groupId)
  const [start, setStart] = usePref<string | undefined>(startPageKey(groupId), undefined)
  const [density, setDensity] = usePref<Density>(densityKey, defaultDensity)
  const [panels, setPanels] = usePref<PanelLook>(panelsKey, 'night')
  const first = firstPath(menu)
  const lapsed = start !== undefined && startOf(menu, start) !== start
  return (
    <Card title="习惯" remark="保存在这台电脑的浏览器里，换一台设备需另行设置" flush>
      <dl>
        <div className="set-line">
          <dt>登录后打开</dt>
          <dd>
            <TreeSelect
              className="zg-w-240"
              aria-label="登录后打开"
              treeData={choicesOf(menu)}
              treeNodeFilterProp="title"
              showSearch
              allowClear={start !== undefined}
              value={startOf(menu, start) ?? null}
              onChange={(path?: string | null) => setStart(path && path !== first ? path : undefined)}
            />
            {lapsed && <div className="tone-warning">原先选的页面已不在菜单中，现打开第一个页面</div>}
          </dd>
        </div>
        <div className="set-line">
          <dt>表格行高</dt>
          <dd>
            <Segmented<Density>
              aria-label="表格行高"
              value={density}
              onChange={setDensity}
              options={[
                { value: 'large', label: '紧凑（32）' },
                { value: 'middle', label: '宽松（40）' },
              ]}
            />
          </dd>
          <dd className="zg-2">在某个表格里单独改过行高的，以那个表格为准</dd>
        </div>
        <div className="set-line">
          <dt>监测页面</dt>
          <dd>
            <Segmented<PanelLook>
              aria-label="监测页面"
              value={panels}
              onChange={(look) => {
                setPanels(look)
                choosePanels(look)
              }}
              options={[
                { value: 'night', label: '深色' },
                { value: 'day', label: '浅色' },
              ]}
            />
          </dd>
          <dd className="zg-2">大屏始终为深色</dd>
        </div>
      </dl>
    </Card>
  )
}

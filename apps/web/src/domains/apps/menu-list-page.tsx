import { DownOutlined, PlusOutlined } from '@ant-design/icons'
import { listApps } from '@zhugong/contract/apps/app-endpoints'
import {
  changeMenuApp,
  createMenu,
  freshMenu,
  listMenus,
  type MenuRow,
  removeMenu,
  updateMenu,
} from '@zhugong/contract/apps/menu-endpoints'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { Button, Checkbox, Input, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { switchAction } from '#kit/enable.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { useHistory } from '#kit/history.tsx'
import { call, showFailure } from '#kit/http.ts'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { MenuDrawing } from '#kit/menu-icon.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { type RowAction, RowActions } from '#kit/row-actions.tsx'
import { IconInput } from './icon-input.tsx'
import { MenuPreview } from './menu-preview.tsx'
import './apps.css'

const { Field, useValue } = formOf(createMenu, updateMenu, freshMenu, changeMenuApp)

interface Node {
  key: string
  menu: MenuRow
  children: Node[]
}
const nest = (list: readonly MenuRow[], parentId: string | null): Node[] =>
  list.filter((menu) => menu.parentId === parentId).map((menu) => ({ key: menu.id, menu, children: nest(list, menu.id) }))

/** Filters the tree: keeps matching nodes and their ancestors. */
const kept = (nodes: readonly Node[], by: { word: string; off: boolean }): Node[] =>
  nodes.flatMap((node) => {
    const children = kept(node.children, by)
    const { title, name, route, enable } = node.menu
    const fits = [title, name, route ?? ''].some((text) => text.includes(by.word)) && (!by.off || !isOn(enable))
    return fits || children.length > 0 ? [{ ...node, children }] : []
  })

type Open = { what: 'new'; route?: string } | { what: 'edit' | 'app'; menu: MenuRow }

/** Menus with their app and target page. */
export default function MenuListPage() {
  const [appId, setAppId] = useState<string>()
  const menus = useCall(listMenus, { query: { appId } }, { quiet: true, keepPrevious: true })
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true })
  const [open, setOpen] = useState<Open>()
  const mayEdit = useCan(updateMenu)
  const move = useAct(updateMenu, { success: '已移动' })
  const history = useHistory()
  const [word, setWord] = useState('')
  const [off, setOff] = useState(false)
  const [previewing, setPreviewing] = useState(false)
  const isFound = word !== '' || off
  const tree = useMemo(() => kept(nest(menus.data?.list ?? [], null), { word, off }), [menus.data, word, off])
  if (menus.error) return <ErrorPanel error={menus.error} retry={menus.refetch} />
  if (!menus.data) return <DetailSkeleton />
  const { list, unattached } = menus.data
  const drop = (dragged: MenuRow, target: MenuRow, gap: boolean, after: boolean) => {
    const parentId = gap ? target.parentId : target.id
    const sisters = list.filter((one) => one.parentId === parentId && one.id !== dragged.id)
    const at = sisters.findIndex((one) => one.id === target.id)
    const position = gap ? Math.max(0, at + (after ? 1 : 0)) : sisters.length
    void move.run({ params: { id: dragged.id }, body: { parentId, position, version: dragged.version } })
  }
  return (
    <PageShell
      remark="菜单的定义；谁看到哪些由“菜单匹配”安排，谁能用由角色决定"
      actions={
        <>
          <Input.Search
            allowClear
            maxLength={40}
            placeholder="标题、标识或路由"
            aria-label="标题、标识或路由"
            onSearch={(next) => setWord(next.trim())}
          />
          <Checkbox className="apps-said" checked={off} onChange={(event) => setOff(event.target.checked)}>
            已停用
          </Checkbox>
          <div className="apps-field">
            <Choice
              aria-label="应用"
              placeholder="全部应用"
              value={appId}
              options={(apps.data?.list ?? []).map((app) => ({ value: app.id, label: app.name }))}
              onChange={setAppId}
            />
          </div>
          <Button onClick={() => setPreviewing(true)}>以账号预览</Button>
          <Can call={createMenu}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
              新增菜单
            </Button>
          </Can>
        </>
      }
    >
      <div className="apps-columns two">
        <Card title="未挂接页面" remark={`${unattached.length} 个页面不在任何菜单里`} flush>
          {unattached.length === 0 ? (
            <Empty small text="页面都已挂接" />
          ) : (
            <ul className="apps-list">
              {unattached.map((page) => (
                <li key={page.path}>
                  <span className="grow">
                    {page.title}
                    <br />
                    <code className="zg-2">{page.path}</code>
                  </span>
                  <Can call={createMenu}>
                    <Button size="small" onClick={() => setOpen({ what: 'new', route: page.path })}>
                      挂接
                    </Button>
                  </Can>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card title="菜单" remark={`${list.length} 个，拖动改变次序或上级，最多三层`} flush>
          {tree.length === 0 && <Empty small text="没有这样的菜单" />}
          <Tree<Node>
            className="apps-menus"
            key={`${word} ${off}`}
            blockNode
            defaultExpandAll
            switcherIcon={<DownOutlined />}
            selectable={false}
            treeData={tree}
            draggable={mayEdit && !appId && !isFound ? { icon: false } : false}
            onDrop={({ dragNode, node, dropToGap, dropPosition }) =>
              drop(dragNode.menu, node.menu, dropToGap, dropPosition > Number(node.pos.split('-').at(-1)))
            }
            titleRender={(node) => (
              <MenuLine
                menu={node.menu}
                open={setOpen}
                reported={history.row({ kind: 'menu', object: node.menu.id, name: node.menu.title })}
              />
            )}
          />
        </Card>
      </div>
      {history.drawer}
      {previewing && <MenuPreview onClose={() => setPreviewing(false)} />}
      {open?.what === 'new' && <NewMenu list={list} route={open.route} pages={unattached} onClose={() => setOpen(undefined)} />}
      {open?.what === 'edit' && <EditMenu menu={open.menu} onClose={() => setOpen(undefined)} />}
      {open?.what === 'app' && (
        <MoveApp
          menu={open.menu}
          apps={(apps.data?.list ?? []).map((app) => ({ value: app.id, label: app.name }))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </PageShell>
  )
}

function MenuLine({ menu, open, reported }: { menu: MenuRow; open: (open: Open) => void; reported: RowAction }) {
  const change = useAct(updateMenu, { success: '已办理' })
  const remove = useAct(removeMenu, { success: '菜单已删除' })
  const fresh = useAct(freshMenu, { success: '已恢复出厂设置' })
  const on = isOn(menu.enable)
  const at = { params: { id: menu.id } }
  return (
    <span className="apps-bar">
      <span className="apps-grow">
        {menu.icon && <MenuDrawing name={menu.icon} />} {menu.title}{' '}
        {menu.route ? <code className="zg-2">{menu.route}</code> : <small className="zg-2">目录</small>}
      </span>
      {!on && <Tag>已停用</Tag>}
      {menu.appName && <Tag icon={false}>{menu.appName}</Tag>}
      {menu.functions > 0 && <small className="zg-2">功能 {menu.functions}</small>}
      {menu.usedBy > 0 && <small className="zg-2">方案 {menu.usedBy}</small>}
      <RowActions
        items={[
          { label: '修改', needs: updateMenu, onClick: () => open({ what: 'edit', menu }) },
          switchAction({
            enable: menu.enable,
            needs: updateMenu,
            question: {
              thing: `停用菜单 ${menu.title}`,
              consequence: '所有机构的菜单里不再出现；页面和权限不变。',
              verb: '停用',
              keep: '保持启用',
            },
            run: () => change.run({ ...at, body: { enable: turned(menu.enable), version: menu.version } }),
          }),
          reported,
          { label: '换应用', needs: changeMenuApp, onClick: () => open({ what: 'app', menu }) },
          {
            label: '恢复出厂设置',
            needs: freshMenu,
            disabled: !menu.delivered && '不是平台自带的菜单',
            onClick: () => fresh.run({ ...at, body: { version: menu.version } }),
          },
          {
            label: '删除',
            danger: true,
            needs: removeMenu,
            onClick: () =>
              remove.afterRequesting(
                {
                  thing: `删除菜单 ${menu.title}`,
                  consequence: '页面成为未挂接页面，可以再挂接；权限不变。',
                  verb: '删除菜单',
                  keep: '保留',
                },
                at,
              ),
          },
        ]}
      />
    </span>
  )
}

const nameOf = (path: string): string => path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'page'

function NewMenu({
  list,
  route,
  pages,
  onClose,
}: {
  list: readonly MenuRow[]
  route: string | undefined
  pages: readonly { path: string; title: string }[]
  onClose: () => void
}) {
  const act = useAct(createMenu, { success: '菜单已新增' })
  const page = pages.find((one) => one.path === route)
  return (
    <FormDrawer
      open
      act={act}
      title="新增菜单"
      initial={{
        menuType: route ? 'MENU' : 'DIR',
        route: route ?? null,
        title: page?.title,
        name: route ? nameOf(route) : undefined,
        parentId: null,
      }}
      onClose={onClose}
    >
      <Field name="menuType" label="类型">
        <Choice
          clear={false}
          options={[
            { value: 'DIR', label: '目录' },
            { value: 'MENU', label: '页面' },
          ]}
        />
      </Field>
      <Field name="parentId" label="上级" help="不选即为顶部模块">
        <Choice options={list.filter((menu) => menu.route === null).map((menu) => ({ value: menu.id, label: menu.title }))} />
      </Field>
      <RouteField pages={pages} />
      <LookFields />
    </FormDrawer>
  )
}

/** Title, name and icon of an entry. */
const LookFields = () => (
  <>
    <Field name="title" label="标题">
      <Input />
    </Field>
    <Field name="name" label="标识">
      <Input />
    </Field>
    <Field name="icon" label="图标">
      <IconInput />
    </Field>
  </>
)

/** A page is selected from the existing ones, never typed. */
function RouteField({ pages }: { pages: readonly { path: string; title: string }[] }) {
  const type = useValue('menuType')
  if (type !== 'MENU') return null
  return (
    <Field name="route" label="页面" required>
      <Choice options={pages.map((page) => ({ value: page.path, label: `${page.title} ${page.path}` }))} />
    </Field>
  )
}

function EditMenu({ menu, onClose }: { menu: MenuRow; onClose: () => void }) {
  const act = useAct(updateMenu)
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="修改菜单"
      remark={menu.route ?? '目录'}
      initial={{ title: menu.title, name: menu.name, icon: menu.icon, version: menu.version }}
      input={(body) => ({ params: { id: menu.id }, body: { ...body, version: menu.version } })}
      onClose={onClose}
    >
      <LookFields />
    </FormDrawer>
  )
}

/** Moves a menu and its descendants to another app; shows first who would lose it. */
function MoveApp({ menu, apps, onClose }: { menu: MenuRow; apps: readonly { value: string; label: string }[]; onClose: () => void }) {
  const act = useAct(changeMenuApp, { success: ({ menus }) => `${menus} 个菜单已换应用` })
  const ask = async (appId: string) => {
    const at = { params: { id: menu.id } }
    try {
      const { lost, menus } = await call(changeMenuApp, { ...at, body: { appId, dryRun: true, version: menu.version } })
      const yes =
        lost.length === 0 ||
        (await confirmDanger({
          thing: `把 ${menus} 个菜单改属另一个应用`,
          consequence: `${lost.length} 个组将因未授权失去此菜单：${lost.slice(0, 6).join('、')}${lost.length > 6 ? ' 等' : ''}。`,
          verb: '仍要更换',
          keep: '不换',
        }))
      if (yes && (await act.run({ ...at, body: { appId, version: menu.version } }))) onClose()
    } catch (error) {
      showFailure(error)
    }
  }
  const [appId, setAppId] = useState<string | undefined>(menu.appId ?? undefined)
  return (
    <PageModal
      open
      title={`更换“${menu.title}”的应用`}
      okText="更换"
      confirmLoading={act.running}
      okButtonProps={{ disabled: !appId || appId === menu.appId }}
      onOk={() => void (appId && ask(appId))}
      onCancel={onClose}
    >
      <Notice tone="info">没有所选应用授权的组会失去这个菜单；更换前会列出来。</Notice>
      <Choice aria-label="应用" value={appId} options={apps} onChange={setAppId} />
    </PageModal>
  )
}

import { ArrowDownOutlined, ArrowUpOutlined, PlusOutlined, UndoOutlined } from '@ant-design/icons'
import type { MenuIcon } from '@zhugong/contract/access/menu-tree'
import {
  type AppRow,
  type Category,
  createCategory,
  listApps,
  listCategories,
  removeCategory,
  sortApps,
  updateCategory,
} from '@zhugong/contract/apps/app-endpoints'
import { holderName } from '@zhugong/contract/apps/codes'
import { isOn } from '@zhugong/contract/kit/enable'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { useHistory } from '#kit/history.tsx'
import { Choice, Choices } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { MenuDrawing } from '#kit/menu-icon.tsx'
import { RowActions } from '#kit/row-actions.tsx'
import { IconInput } from './icon-input.tsx'
import { AppName, typeOptions } from './parts.tsx'

const { Field } = formOf(createCategory, sortApps, updateCategory)

const everyPage = { query: { size: 200 } }
const moved = <T,>(list: readonly T[], from: number, to: number): T[] => {
  const next = [...list]
  const [one] = next.splice(from, 1)
  if (one !== undefined) next.splice(to, 0, one)
  return next
}

/** App categories and the order of apps in them. Every drop is saved at once and can be undone. */
export default function CategoryPage() {
  const categories = useCall(listCategories, everyPage, { quiet: true, keepPrevious: true })
  const apps = useCall(listApps, everyPage, { quiet: true, keepPrevious: true })
  const [chosen, setChosen] = useState<string>()
  const [open, setOpen] = useState<'new' | Category>()
  const [back, setBack] = useState<{ what: string; run: () => unknown }>()
  const sort = useAct(sortApps, { success: false })
  const order = useAct(updateCategory, { success: false })
  const error = categories.error ?? apps.error
  if (error) return <ErrorPanel error={error} retry={() => Promise.all([categories.refetch(), apps.refetch()])} />
  if (!categories.data || !apps.data) return <DetailSkeleton />
  const list = categories.data.list
  const one = list.find((category) => category.id === chosen) ?? list[0]
  const inside = (id: string) => apps.data.list.filter((app) => app.categoryId === id)
  const orderApps = async (categoryId: string, ids: string[], what: string, undo: () => unknown) => {
    if (await sort.run({ body: { ids, categoryId } })) setBack({ what, run: undo })
  }
  const within = (from: number, to: number) => {
    if (!one) return
    const ids = inside(one.id).map((app) => app.id)
    void orderApps(one.id, moved(ids, from, to), '应用次序', () => sort.run({ body: { ids, categoryId: one.id } }))
  }
  const into = (appId: string, to: Category) => {
    const app = apps.data.list.find((a) => a.id === appId)
    if (!app || app.categoryId === to.id) return
    void orderApps(to.id, [...inside(to.id).map((a) => a.id), app.id], `“${app.name}”移到“${to.name}”`, () =>
      sort.run({ body: { ids: [app.id], categoryId: app.categoryId } }),
    )
  }
  const arrange = async (from: number, to: number) => {
    const ids = list.map((category) => category.id)
    if (await order.run({ body: { ids: moved(ids, from, to) } })) setBack({ what: '分类次序', run: () => order.run({ body: { ids } }) })
  }
  const undo = async () => {
    await back?.run()
    setBack(undefined)
  }
  return (
    <PageShell
      remark="拖动即保存；分类是应用方块的标题，不是菜单组，也不是项目组"
      actions={
        <>
          {back && (
            <Button icon={<UndoOutlined />} onClick={() => void undo()}>
              撤销：{back.what}
            </Button>
          )}
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
            新增分类
          </Button>
        </>
      }
    >
      <div className="apps-columns">
        <Card title="分类" remark={`${list.length} 个`} flush>
          <CategoryList
            list={list}
            chosen={one?.id}
            onChoose={setChosen}
            onArrange={(from, to) => void arrange(from, to)}
            onTake={into}
            onEdit={setOpen}
          />
        </Card>
        <Card title={one?.name ?? '应用'} remark={one ? `${inside(one.id).length} 个应用；拖到左侧换分类` : undefined} flush>
          {one && inside(one.id).length === 0 ? (
            <Empty small text="这个分类还没有应用" hint="把其他分类的应用拖到它的名字上" />
          ) : (
            <AppsOf apps={one ? inside(one.id) : []} onArrange={within} />
          )}
        </Card>
        <Preview categories={list} apps={apps.data.list} />
      </div>
      {open === 'new' && <CategoryDrawer onClose={() => setOpen(undefined)} />}
      {open && open !== 'new' && <CategoryDrawer category={open} others={list} onClose={() => setOpen(undefined)} />}
    </PageShell>
  )
}

const appKind = 'application/x-zg-app'
const placeKind = 'application/x-zg-place'

interface CategoryListProps {
  list: readonly Category[]
  chosen: string | undefined
  onChoose: (id: string) => void
  onArrange: (from: number, to: number) => void
  onTake: (appId: string, to: Category) => void
  onEdit: (category: Category) => void
}
function CategoryList({ list, chosen, onChoose, onArrange, onTake, onEdit }: CategoryListProps) {
  const [over, setOver] = useState<string>()
  const history = useHistory()
  const drop = (event: React.DragEvent, category: Category, at: number) => {
    event.preventDefault()
    setOver(undefined)
    const app = event.dataTransfer.getData(appKind)
    const from = event.dataTransfer.getData(placeKind)
    if (app) onTake(app, category)
    else if (from) onArrange(Number(from), at)
  }
  return (
    <>
      {history.drawer}
      <ul className="apps-list">
        {list.map((category, at) => (
          <li
            key={category.id}
            className={`${category.id === chosen ? 'on' : ''} ${over === category.id ? 'over' : ''}`}
            draggable
            onDragStart={(event) => event.dataTransfer.setData(placeKind, String(at))}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(category.id)
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => drop(event, category, at)}
          >
            <button type="button" className="zg-bare grow" aria-current={category.id === chosen} onClick={() => onChoose(category.id)}>
              <AppName icon={category.icon} name={category.name}>
                {category.appCount} 个应用{category.hiddenTypes.length > 0 && `，${category.hiddenTypes.map(holderName).join('、')}不可见`}
              </AppName>
            </button>
            <RowActions
              items={[
                { label: '修改', onClick: () => onEdit(category) },
                { label: '上移', disabled: at === 0 && '已是第一个', onClick: () => onArrange(at, at - 1) },
                { label: '下移', disabled: at === list.length - 1 && '已是最后一个', onClick: () => onArrange(at, at + 1) },
                history.row({ kind: 'category', object: category.id, name: category.name }),
              ]}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Buttons that move an entry, as the keyboard alternative to dragging. */
function Steps({ at, last, thing, onMove }: { at: number; last: number; thing: string; onMove: (to: number) => void }) {
  return (
    <>
      <Button
        size="small"
        type="text"
        icon={<ArrowUpOutlined />}
        disabled={at === 0}
        aria-label={`${thing} 上移`}
        onClick={() => onMove(at - 1)}
      />
      <Button
        size="small"
        type="text"
        icon={<ArrowDownOutlined />}
        disabled={at === last}
        aria-label={`${thing} 下移`}
        onClick={() => onMove(at + 1)}
      />
    </>
  )
}

function AppsOf({ apps, onArrange }: { apps: readonly AppRow[]; onArrange: (from: number, to: number) => void }) {
  return (
    <ul className="apps-list">
      {apps.map((app, at) => (
        <li
          key={app.id}
          draggable
          onDragStart={(event) => {
            event.dataTransfer.setData(appKind, app.id)
            event.dataTransfer.setData(placeKind, String(at))
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            const from = event.dataTransfer.getData(placeKind)
            if (event.dataTransfer.getData(appKind) && from) onArrange(Number(from), at)
          }}
        >
          <AppName icon={app.icon} name={app.name}>
            {app.summary}
          </AppName>
          <span className="right">
            {app.base && <Tag icon={false}>基础</Tag>}
            <Steps at={at} last={apps.length - 1} thing={app.name} onMove={(to) => onArrange(at, to)} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Tiles as a member of a group of the chosen type sees them. */
function Preview({ categories, apps }: { categories: readonly Category[]; apps: readonly AppRow[] }) {
  const [type, setType] = useState<string>('3')
  const shown = categories.flatMap((category) => {
    if (category.hiddenTypes.includes(Number(type))) return []
    const tiles = apps.filter((app) => app.categoryId === category.id && app.groupTypes.includes(Number(type)) && isOn(app.enable))
    return tiles.length > 0 ? [{ category, tiles }] : []
  })
  return (
    <div className="apps-preview">
      <Card
        title="预览"
        remark="/main/v1"
        flush
        actions={<Choice aria-label="组类型" value={type} clear={false} options={typeOptions} onChange={(next) => setType(next ?? '3')} />}
      >
        {shown.map(({ category, tiles }) => (
          <div key={category.id}>
            <div className="apps-tiles-head">{category.name}</div>
            <div className="apps-tiles">
              {tiles.map((app) => (
                <span key={app.id}>
                  <MenuDrawing name={app.icon} />
                  {app.name}
                </span>
              ))}
            </div>
          </div>
        ))}
      </Card>
    </div>
  )
}

function CategoryDrawer({ category, others = [], onClose }: { category?: Category; others?: readonly Category[]; onClose: () => void }) {
  const make = useAct(createCategory, { success: '分类已新增' })
  const change = useAct(updateCategory)
  if (!category)
    return (
      <FormDrawer open narrow width={420} act={make} title="新增分类" initial={{ icon: 'box' }} onClose={onClose}>
        <NameAndIcon />
      </FormDrawer>
    )
  const { id, name, icon, version } = category
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={change}
      title="修改分类"
      remark={name}
      initial={{ name, icon, hiddenTypes: category.hiddenTypes.map(String) }}
      input={(body) => {
        const given = body as { name: string; icon: MenuIcon; hiddenTypes?: string[] }
        return { body: { id, version, name: given.name, icon: given.icon, hiddenTypes: (given.hiddenTypes ?? []).map(Number) } }
      }}
      onClose={onClose}
    >
      <NameAndIcon />
      <Field name="hiddenTypes" label="不显示给" help="这些机构的应用中心和首页方块里没有这个分类">
        <Choices options={typeOptions} />
      </Field>
      <RemoveCategory category={category} others={others.filter((one) => one.id !== id)} onGone={onClose} />
    </FormDrawer>
  )
}

function NameAndIcon() {
  return (
    <>
      <Field name="name" label="分类名称">
        <Input maxLength={12} />
      </Field>
      <Field name="icon" label="图标">
        <IconInput />
      </Field>
    </>
  )
}

/** Removes a category; its apps must be moved to another one first. */
function RemoveCategory({ category, others, onGone }: { category: Category; others: readonly Category[]; onGone: () => void }) {
  const remove = useAct(removeCategory, { success: '分类已删除', onDone: onGone })
  const [moveTo, setMoveTo] = useState<string>()
  const full = category.appCount > 0
  const ask = () =>
    remove.afterRequesting(
      {
        thing: `删除分类 ${category.name}`,
        consequence: full ? `其中 ${category.appCount} 个应用移到所选分类，授权和数据不变。` : '分类里没有应用。',
        verb: '删除分类',
        keep: '保留',
      },
      { params: { id: category.id }, query: { moveTo } },
    )
  return (
    <div className="apps-bar">
      {full && (
        <Choice
          aria-label="应用移到"
          placeholder={`${category.appCount} 个应用移到…`}
          value={moveTo}
          options={others.map((one) => ({ value: one.id, label: one.name }))}
          onChange={setMoveTo}
        />
      )}
      <Button danger disabled={full && !moveTo} onClick={() => void ask()}>
        删除分类
      </Button>
    </div>
  )
}

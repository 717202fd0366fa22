import { DownOutlined, MenuFoldOutlined, MenuUnfoldOutlined, RightOutlined } from '@ant-design/icons'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { useEffect, useRef, useState } from 'react'
import { FloatingHint, FloatingMenu } from '#kit/floating.tsx'
import { MenuDrawing } from '#kit/menu-icon.tsx'

export interface SideMenuProps {
  top: MenuNode
  current: string | undefined
  folded: boolean
  onFold: (folded: boolean) => void
  onOpen: (path: string) => void
}

/** Directories and pages of the active module. */
export function SideMenu({ top, current, folded, onFold, onOpen }: SideMenuProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setClosed((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set(now).add(id)))
  const rows = useRef<HTMLDivElement>(null)
  // A page may be opened from anywhere: scrolls to its row, unless the row is visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marked row depends on these
  useEffect(() => {
    const box = rows.current
    const row = box?.querySelector<HTMLElement>('[aria-current]')
    if (!box || !row) return
    const [seen, at] = [box.getBoundingClientRect(), row.getBoundingClientRect()]
    if (at.top < seen.top || at.bottom > seen.bottom) box.scrollTop += at.top - seen.top - (seen.height - at.height) / 2
  }, [top.id, current, folded])
  return (
    <nav className={`app-side ${folded ? 'folded' : ''}`} aria-label={`${top.title}菜单`}>
      <div className="rows" ref={rows}>
        {top.children.map((node) =>
          folded ? (
            <FoldedRow key={node.id} node={node} current={current} onOpen={onOpen} />
          ) : (
            <Row key={node.id} node={node} level={0} current={current} closed={closed} onToggle={toggle} onOpen={onOpen} />
          ),
        )}
      </div>
      <button type="button" className="zg-bare fold" aria-label={folded ? '展开菜单' : '收起菜单'} onClick={() => onFold(!folded)}>
        {folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        {!folded && ' 收起菜单'}
      </button>
    </nav>
  )
}

interface RowProps {
  node: MenuNode
  level: number
  current: string | undefined
  closed: ReadonlySet<string>
  onToggle: (id: string) => void
  onOpen: (path: string) => void
}

function Row({ node, level, current, closed, onToggle, onOpen }: RowProps) {
  if (node.menuType === 'DIR') {
    const isOpen = !closed.has(node.id)
    return (
      <>
        <button
          type="button"
          className="zg-bare row"
          style={{ paddingLeft: 13 + level * 24 }}
          aria-expanded={isOpen}
          onClick={() => onToggle(node.id)}
        >
          {level === 0 && <MenuDrawing name={node.icon} />}
          <span className="text">{node.title}</span>
          {isOpen ? <DownOutlined className="arrow" /> : <RightOutlined className="arrow" />}
        </button>
        {isOpen &&
          node.children.map((child) => (
            <Row key={child.id} node={child} level={level + 1} current={current} closed={closed} onToggle={onToggle} onOpen={onOpen} />
          ))}
      </>
    )
  }
  if (!node.path) return null
  return (
    <PageLink node={node} current={current} onOpen={onOpen} style={{ paddingLeft: level === 0 ? 13 : 37 + (level - 1) * 16 }}>
      {level === 0 && <MenuDrawing name={node.icon} plain="page" />}
      <span className="text">{node.title}</span>
    </PageLink>
  )
}

function PageLink({
  node,
  current,
  onOpen,
  style,
  children,
}: {
  node: MenuNode
  current: string | undefined
  onOpen: (path: string) => void
  style?: React.CSSProperties
  children: React.ReactNode
}) {
  const path = node.path ?? ''
  return (
    <a
      href={path}
      className="row"
      style={style}
      aria-current={path === current ? 'page' : undefined}
      onClick={(event) => {
        // Ctrl, Shift and the middle button keep the browser's behaviour: they open a new browser tab.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        onOpen(path)
      }}
    >
      {children}
    </a>
  )
}

const holds = (node: MenuNode, path: string | undefined): boolean =>
  (path !== undefined && node.path === path) || node.children.some((child) => holds(child, path))

function leaves(node: MenuNode): MenuNode[] {
  return node.menuType === 'MENU' && node.path ? [node] : node.children.flatMap(leaves)
}

function FoldedRow({ node, current, onOpen }: { node: MenuNode; current: string | undefined; onOpen: (path: string) => void }) {
  if (node.menuType === 'MENU') {
    return (
      <FloatingHint title={node.title} placement="right">
        <span>
          <PageLink node={node} current={current} onOpen={onOpen}>
            <MenuDrawing name={node.icon} plain="page" />
            <span className="app-hidden">{node.title}</span>
          </PageLink>
        </span>
      </FloatingHint>
    )
  }
  return (
    <FloatingMenu
      trigger={['click', 'hover']}
      menu={{
        items: leaves(node).map((leaf) => ({ key: leaf.path ?? leaf.id, label: leaf.title })),
        selectedKeys: current ? [current] : [],
        onClick: ({ key }) => onOpen(key),
      }}
    >
      <button type="button" className="zg-bare row" aria-label={node.title} aria-current={holds(node, current) ? true : undefined}>
        <MenuDrawing name={node.icon} />
      </button>
    </FloatingMenu>
  )
}

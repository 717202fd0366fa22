import { MenuFoldOutlined, MenuUnfoldOutlined, SearchOutlined } from '@ant-design/icons'
import { Input, Tooltip } from 'antd'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { TableSkeleton } from './feedback.tsx'
import { isNarrow, useNarrow } from './narrow.ts'
import { usePage } from './page.tsx'
import { prefNow, writePref } from './prefs.ts'
import type { SideNode } from './side-node.ts'

// The tree is as large as the table beside it, so it is loaded after the list.
const SideTree = lazy(() => import('./side-tree.tsx').then((file) => ({ default: file.SideTree })))

export interface SidePanelProps {
  title: ReactNode
  nodes: readonly SideNode[]
  selected?: string | undefined
  onSelect: (key: string | undefined) => void
  searchPlaceholder?: string
  /** The root node, e.g. {title: '全部', count: 386}. */
  all?: { title: string; count?: number }
  footer?: ReactNode
  /** Instead of the tree. */
  children?: ReactNode
  width?: number
  /** A deep tree begins closed. */
  closed?: boolean
}

const allKey = '*'

function keep(nodes: readonly SideNode[], word: string): SideNode[] {
  return nodes.flatMap((node) => {
    const children = keep(node.children ?? [], word)
    if (!node.title.includes(word) && children.length === 0) return []
    return [{ ...node, children: children.length > 0 ? children : (node.children ?? []) }]
  })
}

/** Panel at the left with a tree. Folds to a strip; the state is stored per user and page. */
export function SidePanel(props: SidePanelProps) {
  const { entry } = usePage()
  const pref = `side:${entry.name}`
  const [folded, setFolded] = useState(() => isNarrow() || (prefNow<boolean>(pref) ?? false))
  const onPhone = useNarrow()
  const [word, setWord] = useState('')
  const nodes = useMemo(() => (word ? keep(props.nodes, word) : [...props.nodes]), [props.nodes, word])
  const fold = (next: boolean) => {
    setFolded(next)
    // On a phone the panel is opened for one choice, so the state is not stored.
    if (!onPhone) void writePref(pref, next)
  }
  if (folded) {
    return (
      <aside className="zg-side zg-side-folded">
        <Tooltip title="展开" placement="right">
          <button type="button" className="zg-bare" aria-label="展开左侧栏" onClick={() => fold(false)}>
            <MenuUnfoldOutlined />
            {onPhone && <span>{props.title}</span>}
          </button>
        </Tooltip>
      </aside>
    )
  }
  const treeData = props.all
    ? [{ key: allKey, title: props.all.title, ...(props.all.count === undefined ? {} : { count: props.all.count }) }, ...nodes]
    : nodes
  return (
    <aside className="zg-side" style={props.width ? { width: props.width } : {}}>
      <div className="zg-card-head">
        <h2>{props.title}</h2>
        <div className="right">
          <button type="button" className="zg-bare" aria-label="收起左侧栏" onClick={() => fold(true)}>
            <MenuFoldOutlined />
          </button>
        </div>
      </div>
      {props.children ?? (
        <>
          {props.searchPlaceholder && (
            <div style={{ padding: '8px 8px 0' }}>
              <Input
                prefix={<SearchOutlined />}
                placeholder={props.searchPlaceholder}
                aria-label={props.searchPlaceholder}
                maxLength={50}
                allowClear
                onChange={(event) => setWord(event.target.value.trim())}
              />
            </div>
          )}
          <div className="tree">
            <Suspense fallback={<TableSkeleton rows={6} columns={1} />}>
              <SideTree
                key={word || 'all'}
                nodes={treeData}
                expanded={(props.nodes.length < 60 && !props.closed) || word !== ''}
                selected={props.selected ?? allKey}
                onSelect={(key) => {
                  props.onSelect(key === undefined || key === allKey ? undefined : key)
                  if (onPhone) setFolded(true)
                }}
              />
            </Suspense>
          </div>
        </>
      )}
      {props.footer && <div className="foot">{props.footer}</div>}
    </aside>
  )
}

import { DownOutlined } from '@ant-design/icons'
import { isOn } from '@zhugong/contract/kit/enable'
import { Tree } from 'antd'
import type { BasicDataNode } from 'antd/es/tree'
import { type ReactNode, useState } from 'react'
import { notify } from '#kit/notify.ts'
import { type Landing, landing, type Nested } from './org-tree.ts'

/** Row above the tree that is not a node: everybody, or what is in no folder. */
export interface TreeTop {
  key: string | undefined
  label: string
  count: number | undefined
  /** Accepts rows dragged from beside the tree. */
  takes?: boolean
}

export interface MovableTreeProps<T> {
  tree: readonly T[]
  tops: readonly TreeTop[]
  /** Key of a top row or id of a node. */
  selected: string | undefined
  onSelect: (key: string | undefined) => void
  count: (node: T) => number
  /** Shown after the name, for example the head. */
  remark?: (node: T) => ReactNode
  /** Word for a node: 部门, 项目组. */
  thing: string
  /** Undefined if the user may not move nodes. */
  onMove: ((node: T, to: Landing) => void) | undefined
  /** Called when rows from beside the tree are dropped on a node or a top row. */
  onTake?: ((id: string | undefined) => void) | undefined
}

/** Drag type of rows from beside the tree; nodes of the tree have none. */
export const draggedFromBeside = 'application/x-zg-rows'

/** Tree with drag and drop of its nodes, which also accepts rows dropped on it. */
export function MovableTree<T extends Nested<T> & { enable: string }>(props: MovableTreeProps<T>) {
  const { tree, tops, selected, onSelect, count, remark, thing, onMove, onTake } = props
  const take = useTake(onTake)
  const drop = (node: T, to: Landing | undefined) => (to ? onMove?.(node, to) : void notify.warning(`${thing}不能移到自己或自己的下级之下`))
  return (
    <div className="tree">
      {tops.map((top) => (
        <button
          key={top.label}
          type="button"
          className={`org-everybody ${selected === top.key ? 'on' : ''} ${take.over === `top ${top.key}` ? 'over' : ''}`}
          aria-current={selected === top.key ? 'true' : undefined}
          onClick={() => onSelect(top.key)}
          {...(top.takes ? take.on(`top ${top.key}`, top.key) : {})}
        >
          {top.label}
          <span className="count">{top.count ?? '--'}</span>
        </button>
      ))}
      <Tree<T & BasicDataNode>
        blockNode
        // A new key remounts the tree when its data arrives, so that it starts expanded.
        key={tree.length > 0 ? 'tree' : 'none'}
        switcherIcon={<DownOutlined />}
        defaultExpandAll
        treeData={tree as (T & BasicDataNode)[]}
        fieldNames={{ key: 'id', children: 'children' }}
        selectedKeys={selected === undefined ? [] : [selected]}
        onSelect={(keys) => onSelect(keys[0] === undefined ? undefined : String(keys[0]))}
        draggable={onMove ? { icon: false } : false}
        onDrop={({ dragNode, node, dropToGap, dropPosition }) => {
          const at = Number(node.pos.split('-').at(-1))
          const where = !dropToGap ? 'in' : dropPosition < at ? 'before' : 'after'
          drop(dragNode, landing(tree, dragNode.id, node.id, where))
        }}
        titleRender={(node) => (
          <span className={`node ${take.over === node.id ? 'over' : ''}`} {...take.on(node.id, node.id)}>
            <span title={node.name} className={isOn(node.enable) ? 'org-name' : 'org-name zg-2'}>
              {node.name}
              {!isOn(node.enable) && '（停用）'}
              {remark && <small className="zg-2"> {remark(node)}</small>}
            </span>
            <span className="count">{count(node)}</span>
          </span>
        )}
      />
    </div>
  )
}

/** Highlights the drop target while rows from beside the tree are dragged, and reports the drop. */
function useTake(onTake: MovableTreeProps<unknown>['onTake']) {
  const [over, setOver] = useState<string>()
  const on = (key: string, id: string | undefined) =>
    onTake
      ? {
          onDragOver: (event: React.DragEvent) => {
            if (!event.dataTransfer.types.includes(draggedFromBeside)) return
            event.preventDefault()
            event.stopPropagation()
            setOver(key)
          },
          onDragLeave: () => setOver(undefined),
          onDrop: (event: React.DragEvent) => {
            if (!event.dataTransfer.types.includes(draggedFromBeside)) return
            event.preventDefault()
            event.stopPropagation()
            setOver(undefined)
            onTake(id)
          },
        }
      : {}
  return { over, on }
}

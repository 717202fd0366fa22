import { DownOutlined } from '@ant-design/icons'
import { isOn } from '@zhugong/contract/kit/enable'
import { type OrgNode, updateOrg } from '@zhugong/contract/organisation/org'
import { Tree } from 'antd'
import type { BasicDataNode } from 'antd/es/tree'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { notify } from '#kit/notify.ts'
import { type Landing, landing } from './org-tree.ts'

export interface OrgTreePanelProps {
  tree: readonly OrgNode[]
  selected: string | undefined
  /** Everybody of the group, whichever department. */
  people: number
  onSelect: (id: string | undefined) => void
}

const everybody = '*'

/** The departments with their people; a department is dragged to another place by whoever may change them. */
export function OrgTreePanel({ tree, selected, people, onSelect }: OrgTreePanelProps) {
  const mayMove = useCan(updateOrg)
  const move = useAct(updateOrg, { success: '部门已移动' })
  const drop = (node: OrgNode, to: Landing | undefined) => {
    if (!to) return notify.warning('部门不能移到自己或自己的下级之下')
    return void move.run({ params: { id: node.id }, query: {}, body: { ...to, version: node.version } })
  }
  return (
    <div className="tree">
      <button
        type="button"
        className={`org-everybody ${selected ? '' : 'on'}`}
        aria-current={selected ? undefined : 'true'}
        onClick={() => onSelect(undefined)}
      >
        全部人员<span className="count">{people}</span>
      </button>
      <Tree<OrgNode & BasicDataNode>
        blockNode
        // Opens whole once it has come.
        key={tree.length > 0 ? 'tree' : 'none'}
        switcherIcon={<DownOutlined />}
        defaultExpandAll
        treeData={tree as OrgNode[]}
        fieldNames={{ key: 'id', children: 'children' }}
        selectedKeys={[selected ?? everybody]}
        onSelect={(keys) => onSelect(keys[0] === undefined ? undefined : String(keys[0]))}
        draggable={mayMove && !move.running ? { icon: false } : false}
        onDrop={({ dragNode, node, dropToGap, dropPosition }) => {
          const at = Number(node.pos.split('-').at(-1))
          const where = !dropToGap ? 'in' : dropPosition < at ? 'before' : 'after'
          drop(dragNode, landing(tree, dragNode.id, node.id, where))
        }}
        titleRender={(node) => (
          <span className="node">
            <span title={node.name} className={isOn(node.enable) ? 'org-name' : 'org-name zg-2'}>
              {node.name}
              {!isOn(node.enable) && '（停用）'}
              {node.heads.length > 0 && <small className="zg-2"> {node.heads.join('、')}</small>}
            </span>
            <span className="count">{node.people}</span>
          </span>
        )}
      />
    </div>
  )
}

import { DownOutlined } from '@ant-design/icons'
import { Tree } from 'antd'
import type { SideNode } from './side-node.ts'

export interface SideTreeProps {
  nodes: readonly SideNode[]
  expanded: boolean
  selected: string
  onSelect: (key: string | undefined) => void
}

export function SideTree({ nodes, expanded, selected, onSelect }: SideTreeProps) {
  return (
    <Tree<SideNode>
      blockNode
      {...(nodes.some((node) => node.children?.length) ? {} : { className: 'flat' })}
      switcherIcon={<DownOutlined />}
      defaultExpandAll={expanded}
      treeData={nodes as SideNode[]}
      selectedKeys={[selected]}
      onSelect={(keys) => onSelect(keys[0] === undefined ? undefined : String(keys[0]))}
      titleRender={(node) => (
        <span className="node">
          <span title={node.title} className="zg-line">
            {node.title}
          </span>
          {node.count !== undefined && <span className="count">{node.count}</span>}
        </span>
      )}
    />
  )
}

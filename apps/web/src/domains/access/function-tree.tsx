import type { FunctionNode, FunctionTree } from '@zhugong/contract/access/role-work'
import { Input, Tree } from 'antd'
import type { BasicDataNode, DataNode } from 'antd/es/tree'
import { type ReactNode, useMemo, useState } from 'react'
import './access.css'

/** A fixed height makes the tree virtual: only visible rows are rendered, so 2,000 nodes cost no more than 30. */
const treeHeight = 480

interface Box extends BasicDataNode {
  key: string
  title: ReactNode
  /** Permission codes below this node. */
  codes: readonly string[]
  children?: Box[]
}

/** Why a function cannot be given; undefined when it can. */
export function closedBecause(one: FunctionNode, given: boolean): string | undefined {
  if (!one.open) return '未开通：本组没有含此功能的应用'
  if (!one.held) return given ? '您没有此权限，不能收回' : '您没有此权限，不能授予'
  return undefined
}

interface FunctionTreeBoxProps {
  tree: FunctionTree
  codes: ReadonlySet<string>
  /** Saved codes; needed to explain why a code cannot be removed. */
  saved: ReadonlySet<string>
  onChange: (codes: string[]) => void
  /** Called with the menu whose functions are to be shown beside the tree. */
  onMenu: (path: string) => void
  readOnly: boolean
}

/** Applications, menus and functions with three-state checkboxes. A function listed under several menus is one code: ticking one ticks all. */
export function FunctionTreeBox({ tree, codes, saved, onChange, onMenu, readOnly }: FunctionTreeBoxProps) {
  const [word, setWord] = useState('')
  const byCode = useMemo(() => new Map(tree.functions.map((one) => [one.code, one])), [tree])
  const boxes = useMemo(() => boxesOf(tree, byCode, word.trim().toLowerCase()), [tree, byCode, word])
  const locked = useMemo(
    () => new Set(tree.functions.filter((one) => closedBecause(one, saved.has(one.code))).map((one) => one.code)),
    [tree, saved],
  )
  const checked = useMemo(
    () => (readOnly ? keptOf(boxes, codes) : leavesOf(boxes).flatMap((leaf) => (codes.has(leaf.codes[0] ?? '') ? [leaf.key] : []))),
    [boxes, codes, readOnly],
  )
  const toggle = (box: Box, on: boolean) => {
    const meant = box.codes.filter((code) => !locked.has(code))
    const next = new Set(codes)
    for (const code of meant) {
      if (on) next.add(code)
      else next.delete(code)
    }
    onChange([...next])
  }
  return (
    <div className={readOnly ? 'acc-read' : undefined}>
      <Input
        allowClear
        placeholder="搜索名称或权限码"
        aria-label="搜索功能"
        maxLength={50}
        onChange={(event) => setWord(event.target.value)}
      />
      <Tree<Box>
        key={word ? 'found' : 'all'}
        checkable
        // Disabled checkboxes do not propagate to parents, so a read-only tree is checked node by node.
        checkStrictly={readOnly}
        blockNode
        virtual
        height={treeHeight}
        treeData={boxes.map((box) => withLocks(box, locked, readOnly))}
        defaultExpandAll={word !== ''}
        checkedKeys={checked}
        onCheck={(_, { node, checked: on }) => toggle(node, on)}
        onSelect={(_, { node }) => {
          const [path = ''] = node.key.split('#')
          if (path.startsWith('/') || path.startsWith('module:')) onMenu(path)
        }}
      />
    </div>
  )
}

/** Checkbox states: nodes with all of their functions, and nodes with some. */
export function keptOf(boxes: readonly Box[], codes: ReadonlySet<string>): { checked: string[]; halfChecked: string[] } {
  const all = everyBox(boxes).map(({ key, codes: own }) => ({ key, held: own.filter((code) => codes.has(code)).length, of: own.length }))
  return {
    checked: all.filter(({ held, of }) => held === of).map(({ key }) => key),
    halfChecked: all.filter(({ held, of }) => held > 0 && held < of).map(({ key }) => key),
  }
}
const everyBox = (boxes: readonly Box[]): Box[] => boxes.flatMap((box) => [box, ...everyBox(box.children ?? [])])

const leavesOf = (boxes: readonly Box[]): Box[] => boxes.flatMap((box) => (box.children ? leavesOf(box.children) : [box]))

/** A checkbox is disabled when nothing below it can be given or taken; the node can still be expanded and read. */
const withLocks = (box: Box, locked: ReadonlySet<string>, readOnly: boolean): Box & DataNode => ({
  ...box,
  disableCheckbox: readOnly || box.codes.every((code) => locked.has(code)),
  children: box.children?.map((child) => withLocks(child, locked, readOnly)),
})

function boxesOf(tree: FunctionTree, byCode: ReadonlyMap<string, FunctionNode>, word: string): Box[] {
  const fits = (one: FunctionNode) => !word || one.name.toLowerCase().includes(word) || one.code.toLowerCase().includes(word)
  return tree.apps.flatMap((app): Box[] => {
    const menus = app.menus.flatMap((menu): Box[] => {
      const leaves = menu.codes.flatMap((code): Box[] => {
        const one = byCode.get(code)
        if (!one || !(fits(one) || (word && menu.title.toLowerCase().includes(word)))) return []
        return [{ key: `${menu.path}#${code}`, codes: [code], title: <Leaf one={one} /> }]
      })
      if (leaves.length === 0) return []
      return [{ key: menu.path, title: menu.title, codes: leaves.flatMap((leaf) => leaf.codes), children: leaves }]
    })
    return menus.length ? [{ key: `app:${app.id}`, title: app.title, codes: menus.flatMap((menu) => menu.codes), children: menus }] : []
  })
}

const marks: Readonly<Record<string, string>> = { '2': '重要', '3': '个人信息' }
export const riskMark = (risk: string): string | undefined => marks[risk]

function Leaf({ one }: { one: FunctionNode }) {
  const closed = closedBecause(one, false)
  const mark = riskMark(one.risk)
  return (
    <span className={closed ? 'acc-grey' : ''} title={closed ?? one.code}>
      {one.name}
      {mark && <span className="acc-code tone-danger">{mark}</span>}
      {closed && <span className="acc-code">{one.open ? '您没有' : '未开通'}</span>}
    </span>
  )
}

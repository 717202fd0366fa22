import { permissionName } from '@zhugong/contract/access/codes'
import type { FunctionTree } from '@zhugong/contract/access/role-work'
import { isOn } from '@zhugong/contract/kit/enable'
import { Button, Checkbox } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { closedBecause, FunctionTreeBox, riskMark } from './function-tree.tsx'
import { differenceOf, differenceWords, missingViews, type Preset, presetOf, presets, summaryOf } from './role-words.ts'

interface RoleDesignerProps {
  tree: FunctionTree
  codes: readonly string[]
  /** Saved codes. */
  before: readonly string[]
  onChange: (codes: string[]) => void
  readOnly: boolean
  /** Shown below the summary: holders and projects of the role. */
  aside?: ReactNode
}

/** Permission editor: tree on the left, functions of the selected menu in the middle, summary in sentences on the right. */
export function RoleDesigner({ tree, codes, before, onChange, readOnly, aside }: RoleDesignerProps) {
  const [menu, setMenu] = useState<string>()
  const [added, setAdded] = useState<readonly string[]>([])
  const chosen = useMemo(() => new Set(codes), [codes])
  const saved = useMemo(() => new Set(before), [before])
  const possible = useMemo(() => new Set(tree.functions.map((one) => one.code)), [tree])
  const ghosts = codes.filter((code) => !possible.has(code))
  const change = (next: readonly string[]) => {
    const fresh = next.filter((code) => !chosen.has(code))
    const views = missingViews(fresh, possible).filter((code) => !next.includes(code))
    setAdded(views)
    onChange([...next, ...views])
  }
  const apply = (preset: Preset) => {
    // Keep the codes that the caller cannot change.
    const fixed = tree.functions.filter((one) => closedBecause(one, saved.has(one.code)) && chosen.has(one.code)).map((one) => one.code)
    setAdded([])
    onChange([...new Set([...fixed, ...ghosts, ...presetOf(preset, tree.functions)])])
  }
  const shown = tree.apps.flatMap((app) => app.menus).find((one) => one.path === menu)
  const difference = differenceOf(before, codes)
  return (
    <div className="acc-designer">
      <Card
        title="应用与菜单"
        actions={
          !readOnly && (
            <span className="acc-chips">
              {presets.map((one) => (
                <Button key={one.key} size="small" onClick={() => apply(one.key)}>
                  {one.label}
                </Button>
              ))}
            </span>
          )
        }
      >
        <FunctionTreeBox tree={tree} codes={chosen} saved={saved} onChange={change} onMenu={setMenu} readOnly={readOnly} />
      </Card>
      <Card title={shown ? shown.title : '功能说明'} remark={shown && `${shown.codes.length} 项功能`}>
        {added.length > 0 && <Notice tone="info">已一并选上 {added.map(permissionName).join('、')}：能办理就须能查看</Notice>}
        {ghosts.length > 0 && (
          <Notice tone="warning">
            另含 {ghosts.length} 项不在树中的权限：{ghosts.join('、')}
            {!readOnly && (
              <Button size="small" type="link" onClick={() => onChange(codes.filter((code) => possible.has(code)))}>
                去掉
              </Button>
            )}
          </Notice>
        )}
        {shown ? (
          <ul className="acc-list acc-scroll">
            {tree.functions
              .filter((one) => shown.codes.includes(one.code))
              .map((one) => {
                const closed = closedBecause(one, saved.has(one.code))
                const mark = riskMark(one.risk)
                return (
                  <li key={one.code}>
                    <Checkbox
                      checked={chosen.has(one.code)}
                      disabled={readOnly || closed !== undefined}
                      onChange={(event) => change(event.target.checked ? [...codes, one.code] : codes.filter((code) => code !== one.code))}
                    >
                      {one.name}
                    </Checkbox>
                    {mark && <Tag tone="danger">{mark}</Tag>}
                    {!isOn(one.enable) && <Tag tone="warning">已全局停用</Tag>}
                    <span className="acc-code">{one.code}</span>
                    {(closed || one.remark) && <span className="why">{closed ?? one.remark}</span>}
                  </li>
                )
              })}
          </ul>
        ) : (
          <Empty small text="在左侧选择一个菜单" hint="查看它的每项功能是什么意思" />
        )}
      </Card>
      <div>
        <Card title="此角色" remark={`${codes.length} 项权限，与已保存相比 ${differenceWords(difference)}`}>
          <ul className="acc-list">
            {summaryOf(tree.functions, chosen).map((line) => (
              <li key={line.label}>
                <b className={line.tone ? `tone-${line.tone}` : ''}>{line.label}</b> {line.text}
              </li>
            ))}
          </ul>
          {codes.length === 0 && <Empty small text="没有任何权限" />}
        </Card>
        {aside}
      </div>
    </div>
  )
}

import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { getTemplate, type TemplateUse, templateTree, updateTemplate } from '@zhugong/contract/screens/endpoints'
import { screenLevelNames } from '@zhugong/contract/screens/model'
import { Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, Notice, TableSkeleton } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { useMe } from '#kit/me.ts'

interface Line {
  id: string
  name: string
  type: number
  depth: number
}
const linesOf = (uses: readonly TemplateUse[], depth = 0): Line[] =>
  uses.flatMap(({ id, name, type, children }) => [{ id, name, type, depth }, ...linesOf(children, depth + 1)])

/** Assigns the template to a group of the same level, or to the groups below one. */
export function AssignDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const template = useCall(getTemplate, { params: { id } }, { quiet: true })
  const tree = useCall(templateTree, {}, { quiet: true })
  const error = template.error ?? tree.error
  if (error) return <ErrorPanel error={error} retry={() => Promise.all([template.refetch(), tree.refetch()])} />
  if (!template.data || !tree.data) return <TableSkeleton />
  return <Assign key={template.data.version} template={template.data} lines={linesOf(tree.data)} onClose={onClose} />
}

type Template = OutputFor<typeof getTemplate>

function Assign({ template, lines, onClose }: { template: Template; lines: readonly Line[]; onClose: () => void }) {
  const own = useMe((me) => me.info?.groupId)
  const before = new Map(template.assignments.map(({ groupId, inherit }) => [groupId, inherit]))
  const [given, setGiven] = useState<ReadonlyMap<string, boolean>>(before)
  const [sought, setSought] = useState('')
  const act = useAct(updateTemplate, { success: '已分配，墙屏一分钟内更新', onDone: onClose })
  const level = template.level === 1 ? [0, 1] : [template.level]
  const set = (groupId: string, inherit: boolean | undefined) => {
    const next = new Map(given)
    if (inherit === undefined) next.delete(groupId)
    else next.set(groupId, inherit)
    setGiven(next)
  }
  // Groups that can use it or pass it down.
  const shown = lines.filter(({ name, type }) => (type <= template.level || level.includes(type)) && name.includes(sought.trim()))
  const dirty = given.size !== before.size || [...given].some(([key, inherit]) => before.get(key) !== inherit)
  const save = () =>
    act.run({
      params: { id: template.id },
      body: { action: 'assign', version: template.version, assignments: [...given].map(([groupId, inherit]) => ({ groupId, inherit })) },
    })
  return (
    <FormSheet
      title={`分配 ${template.name}`}
      remark={given.size ? `分配给 ${given.size} 个机构` : '未分配给任何机构'}
      saveText="保存分配"
      saving={act.running}
      errors={{}}
      dirty={dirty}
      onSave={save}
      onClose={onClose}
    >
      <div className="screen-assign">
        <Notice tone="info">
          “自用”只给该机构；“下级默认”连同其下没有自选大屏的{screenLevelNames[template.level]}机构一起用，离得近的上级优先。
        </Notice>
        <Input allowClear placeholder="查找机构" aria-label="查找机构" value={sought} onChange={({ target }) => setSought(target.value)} />
        {shown.length === 0 ? (
          <Empty text="没有可分配的机构" />
        ) : (
          <table className="screen-links">
            <thead>
              <tr>
                <th>机构</th>
                <th>类型</th>
                <th>自用</th>
                <th>下级默认</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((line) => (
                <tr key={line.id}>
                  <td className={`name screen-deep-${Math.min(line.depth, 3)}`}>
                    {line.name}
                    {line.id === own && <span className="zg-2">（本机构）</span>}
                  </td>
                  <td>{line.type === 0 ? '平台' : screenLevelNames[line.type]}</td>
                  <td>
                    {level.includes(line.type) && (
                      <Checkbox
                        aria-label={`${line.name}自用`}
                        checked={given.has(line.id)}
                        onChange={({ target }) => set(line.id, target.checked ? false : undefined)}
                      />
                    )}
                  </td>
                  <td>
                    <Checkbox
                      aria-label={`${line.name}及下级默认`}
                      checked={given.get(line.id) === true}
                      onChange={({ target }) => set(line.id, target.checked ? true : level.includes(line.type) ? false : undefined)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </FormSheet>
  )
}

import { createMeasureTask, measureChoices } from '@zhugong/contract/measuring/tasks'
import type { PlaceNode } from '@zhugong/contract/places/tree'
import { Checkbox, Input, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Known, Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import { usePlaces } from '../places/public.tsx'
import { Labelled } from './words.tsx'

interface Node {
  key: string
  title: string
  children?: Node[]
}
/** Stairs and shafts are not measured unless chosen one by one. */
const service = /楼梯|管井|电井|水井|电梯/
const nodesOf = (places: readonly PlaceNode[]): Node[] =>
  places.map(({ id, name, children }) =>
    children.length > 0 ? { key: id, title: name, children: nodesOf(children) } : { key: id, title: name },
  )
const leavesOf = (node: PlaceNode): PlaceNode[] => (node.children.length > 0 ? node.children.flatMap(leavesOf) : [node])

/** Template, places, person and date; one task for every floor if wanted. */
export function TaskWizard({
  as,
  projectCode,
  onClose,
  onOwn,
}: {
  as: 'assign' | 'own'
  projectCode: string
  onClose: () => void
  onOwn: (id: string) => void
}) {
  const choices = useCall(measureChoices, { query: { projectCode } }, { quiet: true })
  const places = usePlaces(projectCode)
  const [id] = useState(() => uid())
  const [draft, setDraft] = useState({
    taskName: '',
    templateId: '',
    placeIds: [] as string[],
    unitCorp: null as string | null,
    memberId: '',
    deadline: null as string | null,
    perFloor: true,
  })
  const [dirty, setDirty] = useState(false)
  const set = (more: Partial<typeof draft>) => {
    setDraft((now) => ({ ...now, ...more }))
    setDirty(true)
  }
  const act = useAct(createMeasureTask, {
    success: ({ ids }) => (as === 'own' ? '已建，可以开始录入' : `已指派 ${ids.length} 个任务`),
    onDone: ({ ids }) => {
      onClose()
      if (as === 'own' && ids[0]) onOwn(ids[0])
    },
  })
  const errors = act.fieldErrors
  const tree = places?.tree ?? []
  const leaves = useMemo(() => new Map(tree.flatMap(leavesOf).map((one) => [one.id, one])), [tree])
  const chosen = draft.placeIds.flatMap((key) => leaves.get(key) ?? [])
  const floors = new Set(chosen.map((one) => (one.kind === 'room' ? one.parentId : one.id))).size
  const template = choices.data?.templates.find((one) => one.id === draft.templateId)
  const points = chosen.length * (template?.pointCount ?? 0)
  const skipped = (keys: readonly string[]) => {
    // A click on a floor takes its rooms without stairs and shafts; a click on one of these takes it.
    const before = new Set(draft.placeIds)
    const fresh = keys.filter((key) => leaves.has(key) && !before.has(key))
    const rooms = fresh.length > 1 ? fresh.filter((key) => !service.test(leaves.get(key)?.name ?? '')) : fresh
    return [...keys.filter((key) => before.has(key)), ...rooms]
  }
  const save = () => {
    const { memberId, perFloor, ...fields } = draft
    const taskName = fields.taskName || template?.name || ''
    const body = { id, ...fields, taskName }
    void act.run(
      { query: { projectCode }, body: as === 'own' ? { action: 'own', ...body } : { action: 'assign', ...body, memberId, perFloor } },
      { fieldsShown: true },
    )
  }
  const split = as === 'assign' && draft.perFloor
  return (
    <FormSheet
      title={as === 'own' ? '自建测量' : '指派实测实量任务'}
      remark={
        chosen.length > 0 && template
          ? `${split ? `${floors} 层各一个任务` : '一个任务'}，${chosen.length} 个部位，共 ${points} 个测点`
          : '选择模板和部位后显示测点数'
      }
      saveText={as === 'own' ? '开始测量' : '指派'}
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={errors}
      dirty={dirty}
    >
      <Known of={choices}>
        {choices.data && (
          <div className="measuring-form">
            {choices.data.templates.length === 0 && (
              <Notice tone="warning">还没有带规则的模板：请在“实测实量标准”中新增模板并导入测项</Notice>
            )}
            <div className="measuring-fields">
              <Labelled label="1 模板" error={errors.templateId}>
                {(key) => (
                  <Choice
                    id={key}
                    clear={false}
                    value={draft.templateId || undefined}
                    options={choices.data.templates.map((one) => ({
                      value: one.id,
                      label: `${one.name}（${one.ruleCount} 项，每部位 ${one.pointCount} 点）`,
                    }))}
                    onChange={(templateId) => set({ templateId: templateId ?? '' })}
                  />
                )}
              </Labelled>
              <Labelled label="任务名称" error={errors.taskName}>
                {(key) => (
                  <Input
                    id={key}
                    maxLength={80}
                    placeholder={template?.name ?? '不填则用模板名称'}
                    value={draft.taskName}
                    onChange={(event) => set({ taskName: event.target.value })}
                  />
                )}
              </Labelled>
            </div>
            <Labelled label="2 部位" error={errors.placeIds}>
              {() => (
                <div className="measuring-tree">
                  {places && tree.length === 0 && <p className="zg-2">本项目还没有部位树，请先在项目设置的“部位”中生成楼层和房间</p>}
                  {tree.length > 0 && (
                    <Tree<Node>
                      checkable
                      selectable={false}
                      height={260}
                      treeData={nodesOf(tree)}
                      checkedKeys={draft.placeIds}
                      onCheck={(keys) => set({ placeIds: skipped((Array.isArray(keys) ? keys : keys.checked).map(String)) })}
                    />
                  )}
                </div>
              )}
            </Labelled>
            {as === 'assign' && (
              <Checkbox checked={draft.perFloor} onChange={(event) => set({ perFloor: event.target.checked })}>
                每层一个任务
              </Checkbox>
            )}
            <div className="measuring-fields">
              {as === 'assign' && (
                <Labelled label="3 测量人员" error={errors.memberId}>
                  {(key) => (
                    <Choice
                      id={key}
                      clear={false}
                      value={draft.memberId || undefined}
                      options={choices.data.members.map((one) => ({ value: one.id, label: `${one.name}（${one.groupName}）` }))}
                      onChange={(memberId) => set({ memberId: memberId ?? '' })}
                    />
                  )}
                </Labelled>
              )}
              <Labelled label="责任分包" error={errors.unitCorp}>
                {(key) => (
                  <Choice
                    id={key}
                    value={draft.unitCorp ?? undefined}
                    options={choices.data.corps.map((one) => ({ value: one.code, label: one.name }))}
                    onChange={(unitCorp) => set({ unitCorp: unitCorp ?? null })}
                  />
                )}
              </Labelled>
              <Labelled label={as === 'assign' ? '4 要求完成' : '要求完成'} error={errors.deadline}>
                {(key) => (
                  <DayInput id={key} value={draft.deadline ?? undefined} onChange={(deadline) => set({ deadline: deadline ?? null })} />
                )}
              </Labelled>
            </div>
          </div>
        )}
      </Known>
    </FormSheet>
  )
}

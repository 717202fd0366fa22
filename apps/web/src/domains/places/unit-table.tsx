import { changeUnitProject, createUnitProject, listUnitProjects, removeUnitProject, type UnitProject } from '@zhugong/contract/places/units'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { thousands } from '#kit/format.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { RowActions } from '#kit/row-actions.tsx'
import './places.css'

const { Field } = formOf(createUnitProject)

interface UnitTableProps {
  projectCode: string
  /** The project is closed: nothing can be changed. */
  closed?: boolean
  actions?: ReactNode
}

/** 单位（单体）工程 of a project, with type, size and progress. */
export function UnitTable({ projectCode, closed = false, actions }: UnitTableProps) {
  const read = useCall(listUnitProjects, { query: { projectCode } }, { quiet: true })
  const [editing, setEditing] = useState<UnitProject | 'new'>()
  const removal = useAct(removeUnitProject, { success: '单体工程已删除' })
  const may = useCan(createUnitProject, { projectCode }) && !closed
  const dicts = useDicts('unitProjectType', 'projectPhase')
  const list = read.data?.list ?? []
  return (
    <Card
      title="单体工程"
      remark={read.data ? `${list.length} 个` : undefined}
      flush
      actions={
        <>
          {actions}
          {!closed && (
            <Can call={createUnitProject}>
              <Button onClick={() => setEditing('new')}>新增单体</Button>
            </Can>
          )}
        </>
      }
    >
      <Known of={read}>
        {list.length === 0 ? (
          <Empty small text="没有单体工程" hint="按楼栋或标段登记，分别填写形象进度" />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <section className="place-wide" aria-label="单体工程表" tabIndex={0}>
            <table className="place-table">
              <thead>
                <tr>
                  <th>名称</th>
                  <th>形象进度</th>
                  <th>状态</th>
                  {may && <th>操作</th>}
                </tr>
              </thead>
              <tbody>
                {list.map((unit) => (
                  <tr key={unit.id}>
                    <td>
                      {unit.name}
                      <div className="zg-2">{sizeOf(unit, dicts.name('unitProjectType', unit.type))}</div>
                    </td>
                    <td>
                      {dicts.name('projectPhase', unit.phase) || '--'}
                      <div className="zg-2">完成 {unit.progressPercent}%</div>
                    </td>
                    <td>{unit.stateName}</td>
                    {may && (
                      <td>
                        <RowActions
                          items={[
                            { label: '修改', onClick: () => setEditing(unit) },
                            {
                              label: '删除',
                              danger: true,
                              onClick: () =>
                                removal.afterRequesting(
                                  {
                                    thing: `删除单体工程 ${unit.name}`,
                                    consequence: '部位树中的楼栋保留，不再对应该单体。',
                                    verb: '删除单体',
                                  },
                                  { params: { id: unit.id } },
                                ),
                            },
                          ]}
                        />
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Known>
      {editing === 'new' && <NewUnit projectCode={projectCode} onClose={() => setEditing(undefined)} />}
      {editing !== undefined && editing !== 'new' && <ChangeUnit unit={editing} onClose={() => setEditing(undefined)} />}
    </Card>
  )
}

/** In one line: type, floors above and below ground, area. */
function sizeOf({ floorsUp, floorsDown, area }: UnitProject, type: string | undefined): string {
  const floors = [floorsUp ? `地上 ${floorsUp} 层` : '', floorsDown ? `地下 ${floorsDown} 层` : ''].filter(Boolean).join(' ')
  return [type, floors, area ? `${thousands(area)} ㎡` : ''].filter(Boolean).join(' · ')
}

function NewUnit({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const act = useAct(createUnitProject, { success: '单体工程已新增' })
  return (
    <FormDrawer open act={act} title="新增单体工程" initial={{ projectCode, part: '1', progressPercent: 0 }} onClose={onClose}>
      <UnitFields />
    </FormDrawer>
  )
}

function ChangeUnit({ unit, onClose }: { unit: UnitProject; onClose: () => void }) {
  const act = useAct(changeUnitProject, { success: '单体工程已保存' })
  const { id, state: _state, stateName: _name, ...fields } = unit
  return (
    <FormDrawer
      open
      act={act}
      title="修改单体工程"
      remark={unit.name}
      initial={fields}
      input={(body) => ({ params: { id }, body: { ...body, version: unit.version } })}
      onClose={onClose}
    >
      <UnitFields />
    </FormDrawer>
  )
}

function UnitFields() {
  const dicts = useDicts('unitProjectType', 'unitProjectPart', 'structureType', 'foundationType', 'basicType', 'projectPhase')
  return (
    <>
      <Field name="name" label="单体名称">
        <Input />
      </Field>
      <Field name="type" label="单体类型">
        <Choice options={dicts.options('unitProjectType')} />
      </Field>
      <Field name="part" label="施工类型">
        <Choice options={dicts.options('unitProjectPart')} />
      </Field>
      <Field name="phase" label="形象进度">
        <Choice options={dicts.options('projectPhase')} />
      </Field>
      <Field name="progressPercent" label="完成">
        <NumberInput unit="%" min={0} max={100} />
      </Field>
      <Field name="area" label="建筑面积">
        <NumberInput unit="㎡" min={0} />
      </Field>
      <Field name="height" label="建筑高度">
        <NumberInput unit="米" min={0} />
      </Field>
      <Field name="floorsUp" label="地上层数">
        <NumberInput min={0} max={200} />
      </Field>
      <Field name="floorsDown" label="地下层数">
        <NumberInput min={0} max={20} />
      </Field>
      <Field name="structureType" label="结构类型">
        <Choice options={dicts.options('structureType')} />
      </Field>
      <Field name="foundationType" label="地基类型">
        <Choice options={dicts.options('foundationType')} />
      </Field>
      <Field name="basicType" label="基础类型">
        <Choice options={dicts.options('basicType')} />
      </Field>
    </>
  )
}

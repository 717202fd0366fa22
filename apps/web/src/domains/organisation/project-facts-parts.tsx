import { LockOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { confirmProjectFacts, type getProjectFacts, saveProjectUnits } from '@zhugong/contract/organisation/project-facts'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { Field, FieldList, FormDrawer } from '#kit/form.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import './project-facts.css'

export type Facts = OutputFor<typeof getProjectFacts>

/** The project's file names it differently from the field that holds it. */
const fieldOf: Readonly<Record<string, string>> = { linkPhoneMask: 'linkPhone' }

function jumpTo(field: string): void {
  const at = document.getElementById(fieldOf[field] ?? field)
  at?.scrollIntoView({ block: 'center' })
  at?.focus({ preventScroll: true })
}

/** What is missing or has run out, each with the way to it. */
export function Gaps({ facts, fencePath }: { facts: Facts; fencePath: string }) {
  return (
    <Card title="待补齐" remark={`完整度 ${facts.completeness}%`}>
      {facts.gaps.length === 0 ? (
        <Empty small text="没有缺项" />
      ) : (
        <ul className="fact-gaps">
          {facts.gaps.map((gap) => (
            <li key={gap.field}>
              {gap.field === 'areaRule' ? (
                <Link to={hrefOf(fencePath, { projectCode: facts.projectCode })}>{gap.label}</Link>
              ) : (
                <button type="button" className="zg-bare zg-link" onClick={() => jumpTo(gap.field)}>
                  {gap.label}
                </button>
              )}
              <span className="zg-2">{gap.why}</span>
              <span>
                {gap.reported && <Tag tone="warning">上报必填</Tag>}
                {gap.keeper === 'body' && <Tag icon={<LockOutlined />}>登记</Tag>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The site stands for its facts once a quarter. */
export function Confirmation({ facts }: { facts: Facts }) {
  const act = useAct(confirmProjectFacts, { success: '已确认' })
  return (
    <Card title="信息属实确认" remark={facts.quarter}>
      {facts.confirmed ? (
        <Tag tone="fine">
          {facts.confirmed.by} 于 {facts.confirmed.at} 确认
        </Tag>
      ) : (
        <>
          <p className="zg-2">本季度尚未确认，确认后留下姓名与时间</p>
          <Can call={confirmProjectFacts}>
            <Button
              loading={act.running}
              disabled={facts.closed}
              onClick={() =>
                void act.afterAsking(
                  {
                    thing: `确认 ${facts.name} ${facts.quarter}的信息属实`,
                    consequence: facts.gaps.length ? `仍有 ${facts.gaps.length} 项未补齐，确认以现有内容为准。` : '以现有内容为准。',
                    verb: '确认属实',
                    keep: '再核对',
                  },
                  { body: { projectCode: facts.projectCode } },
                )
              }
            >
              确认属实
            </Button>
          </Can>
        </>
      )}
    </Card>
  )
}

/** Registered facts, with whoever keeps them. */
export function RegisteredGroup({ group, actions }: { group: Facts['groups'][number]; actions?: ReactNode }) {
  return (
    <Card
      title={group.group}
      remark={
        <>
          <LockOutlined /> 由{group.keeper}维护
        </>
      }
      actions={actions}
    >
      <Pairs
        items={group.items.map((item) => ({
          label: item.label,
          value: (
            <span id={item.field} tabIndex={-1}>
              {item.value ?? <span className="tone-warning">未登记</span>}
            </span>
          ),
        }))}
      />
    </Card>
  )
}

export function Licences({ list }: { list: Facts['registered']['builderLicenses'] }) {
  return (
    <Card title="施工许可证" remark={`${list.length} 个`} flush>
      <span id="builderLicenses" tabIndex={-1} />
      {list.length === 0 ? (
        <Empty small text="未登记施工许可证" />
      ) : (
        <table className="fact-table">
          <thead>
            <tr>
              <th>编号</th>
              <th>工程名称</th>
              <th>发证日期</th>
              <th>发证机关</th>
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <tr key={one.builderLicenseNum}>
                <td>{one.builderLicenseNum}</td>
                <td>{one.prjName}</td>
                <td>{one.licenseDate}</td>
                <td>{one.grantOrg}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

/** Parts of the works with how far each has come. */
export function Units({ facts }: { facts: Facts }) {
  const [editing, setEditing] = useState(false)
  const dicts = useDicts('projectPhase')
  return (
    <Card
      title="单体工程"
      remark={`${facts.units.length} 个`}
      flush
      actions={
        !facts.closed && (
          <Can call={saveProjectUnits}>
            <Button onClick={() => setEditing(true)}>维护</Button>
          </Can>
        )
      }
    >
      {facts.units.length === 0 ? (
        <Empty small text="没有单体工程" hint="按楼栋或标段登记，分别填写形象进度" />
      ) : (
        <table className="fact-table">
          <thead>
            <tr>
              <th>名称</th>
              <th>形象进度</th>
              <th className="num">面积 ㎡</th>
              <th className="num">地上层数</th>
              <th className="num">完成</th>
            </tr>
          </thead>
          <tbody>
            {facts.units.map((unit) => (
              <tr key={unit.key}>
                <td>{unit.name}</td>
                <td>{dicts.name('projectPhase', unit.phase) || '--'}</td>
                <td className="num">{unit.buildingArea?.toLocaleString('zh-CN') ?? '--'}</td>
                <td className="num">{unit.floorsUp ?? '--'}</td>
                <td className="num">{unit.progressPercent}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {editing && <UnitsDrawer facts={facts} onClose={() => setEditing(false)} />}
    </Card>
  )
}

function UnitsDrawer({ facts, onClose }: { facts: Facts; onClose: () => void }) {
  const act = useAct(saveProjectUnits, { success: '单体工程已保存' })
  const dicts = useDicts('projectPhase')
  return (
    <FormDrawer
      open
      narrow
      width={900}
      act={act}
      title="单体工程"
      remark={facts.name}
      initial={{ projectCode: facts.projectCode, version: facts.version, list: facts.units }}
      input={(body) => ({ body: { ...body, list: body.list.map((unit) => ({ ...unit, key: unit.key || uid() })) } })}
      onClose={onClose}
    >
      <FieldList name="list" add="添加单体" max={100}>
        {({ name, remove }) => (
          <div className="fact-unit">
            <Field name={name('name')} label="名称">
              <Input />
            </Field>
            <Field name={name('phase')} label="形象进度">
              <Choice options={dicts.options('projectPhase')} />
            </Field>
            <Field name={name('buildingArea')} label="面积">
              <NumberInput unit="㎡" min={0} />
            </Field>
            <Field name={name('floorsUp')} label="地上层数">
              <NumberInput min={0} max={200} />
            </Field>
            <Field name={name('progressPercent')} label="完成">
              <NumberInput unit="%" min={0} max={100} />
            </Field>
            <Button type="text" className="fact-remove" onClick={remove}>
              删除
            </Button>
          </div>
        )}
      </FieldList>
    </FormDrawer>
  )
}

export const PendingChanges = ({ count }: { count: number }) =>
  count > 0 ? <Notice tone="info">有 {count} 项登记变更等待审定，审定后这里随之更新</Notice> : null

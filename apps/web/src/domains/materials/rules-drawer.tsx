import { type MaterialRuleRow, materialRules, saveMaterialRule } from '@zhugong/contract/materials/calls'
import { Button, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Known, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'

const { Field } = formOf(saveMaterialRule)

/** How each category is sampled and weighed on this site. */
export function RulesDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const read = useCall(materialRules, { query: { projectCode } }, { quiet: true })
  const [editing, setEditing] = useState<MaterialRuleRow | undefined>(undefined)
  return (
    <PageDrawer open title="取样与过磅规则" onClose={onClose}>
      <p className="zg-2">更改只影响此后进场的批次；已进场的按进场时的规则。</p>
      <Known of={read}>
        <table className="material-plain">
          <thead>
            <tr>
              <th>材料类别</th>
              <th>复验</th>
              <th>取样批量</th>
              <th className="right">允许偏差</th>
              <th>
                <span className="zg-heard">操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {read.data?.list.map((rule) => (
              <tr key={rule.category}>
                <td>
                  {rule.categoryName} {rule.own && <Tag icon={false}>本项目</Tag>}
                </td>
                <td>{rule.needRetest ? '须复验' : '不需'}</td>
                <td>
                  {rule.needRetest ? (rule.perQuantity === null ? '每批一组' : `每 ${rule.perQuantity} ${rule.unitName ?? ''}一组`) : '--'}
                </td>
                <td className="right zg-num">±{rule.tolerance}‰</td>
                <td className="right">
                  <Can call={saveMaterialRule}>
                    <Button size="small" onClick={() => setEditing(rule)}>
                      修改
                    </Button>
                  </Can>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Known>
      {editing && <RuleForm projectCode={projectCode} rule={editing} onClose={() => setEditing(undefined)} />}
    </PageDrawer>
  )
}

function RuleForm({ projectCode, rule, onClose }: { projectCode: string; rule: MaterialRuleRow; onClose: () => void }) {
  const dicts = useDicts('materialUnit')
  const act = useAct(saveMaterialRule, { success: '规则已保存' })
  const { category, needRetest, perQuantity, unit, tolerance } = rule
  return (
    <FormDrawer
      act={act}
      open
      narrow
      width={480}
      title={rule.categoryName}
      onClose={onClose}
      initial={{ category, needRetest, perQuantity, unit, tolerance }}
      input={(body) => ({ query: { projectCode }, body: { ...body, category } })}
    >
      <Field name="needRetest" label="须见证取样复验" valueName="checked">
        <Switch />
      </Field>
      <Field name="perQuantity" label="取样批量" help="每到这个数量取样一组；不填为每批一组">
        <NumberInput min={0} />
      </Field>
      <Field name="unit" label="批量单位">
        <Choice options={dicts.options('materialUnit')} />
      </Field>
      <Field name="tolerance" label="过磅允许偏差">
        <NumberInput unit="‰" min={1} precision={0} />
      </Field>
    </FormDrawer>
  )
}

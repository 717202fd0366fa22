import { createMeasureRule, type MeasureTemplate } from '@zhugong/contract/measuring/rules'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { FormSheet } from '#kit/form-sheet.tsx'
import { anyProject } from './words.tsx'

/** Items of the standard library with the tolerances of their norms; what the template has already is skipped. */
export function LibraryImport({ template, onClose }: { template: MeasureTemplate; onClose: () => void }) {
  const dicts = useDicts('measureItem')
  const groups = dicts.tree('measureItem')
  const own = groups.find((one) => one.value === template.stage)
  const [chosen, setChosen] = useState<string[]>([])
  const act = useAct(createMeasureRule, {
    success: ({ created }) => (created > 0 ? `已导入 ${created} 条规则` : '所选测项模板中都已有'),
    onDone: onClose,
  })
  return (
    <FormSheet
      title={`从标准库导入 ${template.name}`}
      remark={`已选 ${chosen.length} 项，带入规范的允许偏差，可再修改`}
      saveText="导入"
      width={520}
      saving={act.running}
      onSave={() =>
        act.run({ query: anyProject, body: { action: 'import', templateId: template.id, itemCodes: chosen } }, { fieldsShown: true })
      }
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={chosen.length > 0}
    >
      {act.fieldErrors.itemCodes && <p className="tone-danger">{act.fieldErrors.itemCodes}</p>}
      {[own, ...groups.filter((one) => one !== own)].map(
        (group) =>
          group && (
            <fieldset key={group.value} className="measuring-group">
              <legend>{group.label}</legend>
              <Checkbox.Group
                className="measuring-checks"
                value={chosen.filter((code) => group.children?.some((one) => one.value === code))}
                options={(group.children ?? []).map(({ value, label }) => ({ value, label }))}
                onChange={(codes) =>
                  setChosen((now) => [...now.filter((code) => !group.children?.some((one) => one.value === code)), ...(codes as string[])])
                }
              />
            </fieldset>
          ),
      )}
    </FormSheet>
  )
}

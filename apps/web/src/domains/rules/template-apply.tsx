import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { duplicateTrigger } from '@zhugong/contract/rules/endpoints'
import { Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choices } from '#kit/inputs.tsx'
import { FieldLabel } from './field-label.tsx'

type Applied = NonNullable<OutputFor<typeof duplicateTrigger>['applied']>

/** Applies a template to sites, after a preview for each site. */
export function TemplateApply({
  template,
  sites,
  replace,
  onClose,
}: {
  template: { id: string; name: string; version: number; triggers: number }
  /** Preselected sites: those with an old version, or one to be reset. */
  sites: readonly string[]
  replace: boolean
  onClose: () => void
}) {
  const [chosen, setChosen] = useState<string[]>([...sites])
  const [conflict, setConflict] = useState<'keep' | 'replace'>(replace ? 'replace' : 'keep')
  const [preview, setPreview] = useState<Applied>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const projects = useCall(pickProjects, { query: { size: 1000 } }, { quiet: true, staleMs: 300_000 })
  const nameOf = (code: string) => projects.data?.list.find((one) => one.projectCode === code)?.name ?? (projects.data ? code : '…')
  const look = useAct(duplicateTrigger, { success: false, refreshes: [], onDone: (data) => setPreview(data.applied ?? []) })
  const apply = useAct(duplicateTrigger, { success: (data) => `已应用到 ${data.applied?.length ?? 0} 个项目`, onDone: onClose })
  const input = (isPreview: boolean) =>
    ({ params: { id: template.id }, body: { projectCodes: chosen, templateId: template.id, conflict, preview: isPreview } }) as const
  const save = () => {
    if (chosen.length === 0) return setErrors({ projectCodes: '请选择项目' })
    // Apply only after a preview.
    if (preview?.length) void apply.run(input(false))
  }
  const { run } = look
  useEffect(() => {
    setPreview(undefined)
    if (chosen.length === 0) return
    const body = { projectCodes: chosen, templateId: template.id, conflict, preview: true }
    // Debounce: many projects are selected click by click.
    const timer = setTimeout(() => void run({ params: { id: template.id }, body }), 300)
    return () => clearTimeout(timer)
  }, [chosen, conflict, template.id, run])
  const clashing = preview?.filter((one) => one.conflicts.length > 0) ?? []
  return (
    <FormSheet
      title={`应用 ${template.name} 第 ${template.version} 版`}
      remark={preview || chosen.length === 0 ? '应用前可逐个项目核对，未列出的规则不变' : '正在逐个项目核对，核对完再应用'}
      saveText={`应用到 ${chosen.length} 个项目`}
      saving={apply.running || (chosen.length > 0 && look.running)}
      onSave={save}
      onClose={onClose}
      errors={errors}
      dirty={false}
    >
      <div className="rule-editor rule-editor-drawer">
        <FieldLabel label="项目" required hint="可多选" error={errors.projectCodes}>
          <Choices
            value={chosen}
            loading={projects.isPending}
            options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
            onChange={(next) => {
              setChosen(next ?? [])
              setErrors({})
            }}
          />
        </FieldLabel>
        <FieldLabel label="项目已有自己的规则时">
          <Segmented<'keep' | 'replace'>
            value={conflict}
            options={[
              { value: 'keep', label: '保留项目的' },
              { value: 'replace', label: '用模板覆盖' },
            ]}
            onChange={setConflict}
          />
        </FieldLabel>
        {conflict === 'replace' && clashing.length > 0 && (
          <Notice tone="warning">{clashing.length} 个项目自己的规则会被覆盖为新版本，原内容可在规则的版本记录中查到</Notice>
        )}
        {chosen.length === 0 ? (
          <div className="rule-help">选择项目后，这里显示每个项目会新增、更新哪些规则。</div>
        ) : (
          <table className="rule-openings" aria-busy={look.running}>
            <thead>
              <tr>
                <th>项目</th>
                <th>新增</th>
                <th>更新</th>
                <th>保留</th>
                <th>与项目自己的规则重合</th>
              </tr>
            </thead>
            <tbody>
              {chosen.map((code) => {
                const one = preview?.find((row) => row.projectCode === code)
                return (
                  <tr key={code}>
                    <td>{nameOf(code)}</td>
                    <td>{one?.created ?? '…'}</td>
                    <td>{one?.updated ?? '…'}</td>
                    <td>{one?.kept ?? '…'}</td>
                    <td className={one?.conflicts.length ? 'tone-warning' : 'zg-2'}>{one ? one.conflicts.join('、') || '无' : ''}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </div>
    </FormSheet>
  )
}

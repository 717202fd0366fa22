import { CopyOutlined, ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { toleranceWords } from '@zhugong/contract/measuring/judge'
import {
  changeMeasureRule,
  createMeasureRule,
  listMeasureRules,
  type MeasureRule,
  type MeasureTemplate,
  measureRuleList,
  removeMeasureRule,
} from '@zhugong/contract/measuring/rules'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Notice, Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { LibraryImport } from './library-import.tsx'
import { RuleSheet } from './rule-sheet.tsx'
import { TemplateSheet } from './template-sheet.tsx'
import { TryBox } from './try-box.tsx'
import { anyProject } from './words.tsx'
import './measuring.css'

type Open = { is: 'rule'; rule: MeasureRule | undefined } | { is: 'template'; as: 'new' | 'edit' | 'copy' } | { is: 'import' } | undefined

/** With what tolerance, how many points and by which method is each item measured? */
export default function StandardPage() {
  const list = useListPage(measureRuleList, { scope: anyProject, defaultSort: 'itemCode', tabs: ['templateId'] })
  const all = useCall(listMeasureRules, { query: { ...anyProject, page: 1, size: 1 } }, { quiet: true })
  const templates = all.data?.templates ?? []
  const [open, setOpen] = useState<Open>()
  const [tried, setTried] = useState<MeasureRule>()
  const may = useCan(createMeasureRule)
  const chosen = templates.find((one) => one.id === list.filters.templateId)
  const removal = useAct(removeMeasureRule, { success: '规则已删除' })
  const change = useAct(changeMeasureRule, { success: '模板已删除', onDone: () => list.setFilter('templateId', undefined) })
  const close = () => setOpen(undefined)
  const remove = (rule: MeasureRule) =>
    removal.afterRequesting(
      {
        thing: `删除规则 ${rule.standardName}`,
        consequence: '之后的任务不再测量该项；已用于任务的规则不能删除。',
        verb: '删除',
        keep: '保留',
      },
      { params: { id: rule.id } },
    )
  const removeTemplate = (template: MeasureTemplate) =>
    change.afterRequesting(
      { thing: `删除模板 ${template.name}`, consequence: `其中 ${template.ruleCount} 条规则一并删除。`, verb: '删除', keep: '保留' },
      { query: anyProject, body: { action: 'removeTemplate', id: template.id, version: template.version } },
    )
  const columns = useColumns(!chosen)
  const mayEdit = (templateId: string) => may && templates.some((one) => one.id === templateId && one.own)
  return (
    <ListShell
      left={
        <SidePanel
          title="模板"
          all={{ title: '全部规则', count: templates.reduce((n, one) => n + one.ruleCount, 0) }}
          nodes={templates.map(({ id, name, revision, ruleCount }) => ({ key: id, title: `${name} V${revision}`, count: ruleCount }))}
          selected={list.filters.templateId}
          onSelect={(key) => list.setFilter('templateId', key && key !== '*' ? key : undefined)}
          searchPlaceholder="模板"
          width={232}
        />
      }
      actions={
        may && (
          <>
            <Button
              type="primary"
              icon={<PlusOutlined />}
              onClick={() => setOpen(chosen?.own ? { is: 'rule', rule: undefined } : { is: 'template', as: 'new' })}
            >
              {chosen?.own ? '新增规则' : '新增模板'}
            </Button>
            {chosen?.own && (
              <Button icon={<ImportOutlined />} onClick={() => setOpen({ is: 'import' })}>
                从标准库导入
              </Button>
            )}
            {chosen && (
              <Button icon={<CopyOutlined />} onClick={() => setOpen({ is: 'template', as: 'copy' })}>
                复制模板
              </Button>
            )}
          </>
        )
      }
      above={
        chosen && (
          <Notice
            tone="fine"
            actions={
              may &&
              chosen.own && (
                <span className="zg-row zg-gap-6">
                  <Button size="small" onClick={() => setOpen({ is: 'template', as: 'edit' })}>
                    修改模板
                  </Button>
                  <Button size="small" danger disabled={chosen.taskCount > 0} onClick={() => void removeTemplate(chosen)}>
                    删除模板
                  </Button>
                </span>
              )
            }
          >
            {chosen.name}：{chosen.stageName}，目标合格率 {chosen.targetRate}%，版本 {chosen.revision}，{chosen.ownerName}维护，已用于{' '}
            {chosen.taskCount} 个任务
          </Notice>
        )
      }
      right={tried && <TryBox key={tried.id} rule={tried} onClose={() => setTried(undefined)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        search={{ key: 'standardName', placeholder: '评判标准' }}
        emptyHint="还没有规则：新增模板后从标准库导入测项"
        filterWords={{
          wider: { title: '与规范', words: { true: '宽于规范', false: '不宽于规范' } },
          forbidManual: { title: '录入', words: { true: '仅仪器', false: '可手工' } },
        }}
        actions={(row) => [
          { label: '试算', onClick: () => setTried(row) },
          mayEdit(row.templateId) && { label: '编辑', onClick: () => setOpen({ is: 'rule', rule: row }) },
          mayEdit(row.templateId) && { label: '删除', danger: true, onClick: () => void remove(row) },
        ]}
      />
      {open?.is === 'rule' && (
        <RuleSheet rule={open.rule} templateId={open.rule?.templateId ?? chosen?.id ?? ''} stage={chosen?.stage} onClose={close} />
      )}
      {open?.is === 'import' && chosen && <LibraryImport template={chosen} onClose={close} />}
      {open?.is === 'template' && (
        <TemplateSheet
          as={open.as}
          template={open.as === 'new' ? undefined : chosen}
          onDone={(id) => list.setFilter('templateId', id)}
          onClose={close}
        />
      )}
    </ListShell>
  )
}

const yesNo = [
  { value: 'true', label: '仅仪器' },
  { value: 'false', label: '可手工' },
]

function useColumns(withTemplate: boolean): ColumnOf<typeof measureRuleList>[] {
  const dicts = useDicts('measureItem')
  const all: ColumnOf<typeof measureRuleList>[] = [
    {
      key: 'itemCode',
      width: 180,
      locked: true,
      sort: true,
      filter: 'tree-cascader',
      tree: dicts.tree('measureItem'),
      value: (r) => r.itemName,
    },
    { key: 'templateName', width: 130, weak: true, value: (r) => r.templateName },
    { key: 'standardName', width: 170, filter: 'text', value: (r) => r.standardName },
    {
      key: 'judgeEnd',
      width: 168,
      keeps: true,
      sort: true,
      filter: 'single',
      filterKey: 'wider',
      options: [
        { value: 'true', label: '宽于规范' },
        { value: 'false', label: '不宽于规范' },
      ],
      value: (r) => (
        <span className="zg-row zg-gap-6 zg-middle">
          <span className="zg-num">{toleranceWords(r, r.unit)}</span>
          {r.wider && <Tag tone="warning">宽于规范</Tag>}
        </span>
      ),
    },
    { key: 'isAbsolute', width: 92, weak: true, value: (r) => (r.isAbsolute ? '是' : '否') },
    { key: 'isRange', width: 72, value: (r) => (r.isRange ? <Tag icon={false}>极差</Tag> : null) },
    { key: 'isCustomBase', width: 96, weak: true, value: (r) => (r.isCustomBase ? '测量人填写' : r.baseValue) },
    { key: 'pointCount', width: 100, align: 'right', value: (r) => `${r.areaCount} × ${r.pointCount}` },
    { key: 'method', width: 150, weak: true, filter: 'text', value: (r) => r.method },
    { key: 'norm', width: 190, weak: true, filter: 'text', value: (r) => r.norm },
    { key: 'forbidManual', width: 88, filter: 'single', options: yesNo, value: (r) => (r.forbidManual ? '仅仪器' : null) },
    { key: 'burstFactor', width: 96, align: 'right', value: (r) => `${r.burstFactor} 倍` },
    { key: 'revision', width: 68, weak: true, align: 'right', value: (r) => `V${r.revision}` },
    { key: 'taskCount', width: 92, keeps: true, align: 'right', sort: true, value: (r) => r.taskCount || null },
  ]
  return withTemplate ? all : all.filter((one) => one.key !== 'templateName')
}

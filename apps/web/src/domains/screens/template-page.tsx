import { PlusOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import {
  copyTemplate,
  createTemplate,
  removeTemplate,
  removeTemplates,
  type TemplateRow,
  templateList,
  updateTemplate,
} from '@zhugong/contract/screens/endpoints'
import { screenLevelNames, screenLevels, templateState, templateStates } from '@zhugong/contract/screens/model'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { beginning } from './arrange.ts'
import { AssignDrawer } from './template-assign.tsx'
import { Designer } from './template-designer.tsx'
import { TemplateUses } from './template-uses.tsx'

const { Field } = formOf(createTemplate, copyTemplate, updateTemplate)

const path = '/screenTemplateManage'
const tabs = [
  { value: 'templates', label: '模板' },
  { value: 'uses', label: '使用情况' },
]
const tones: Readonly<Record<TemplateRow['state'], Tone>> = { '0': 'warning', '1': 'fine', '2': 'neutral' }

/** List of wall templates. */
export default function TemplatePage() {
  const query = new URLSearchParams(usePage().search)
  const id = query.get('id')
  const tab = query.get('tab') === 'uses' ? 'uses' : 'templates'
  const go = useGo()
  if (id) return <Designer key={id} id={id} onBack={() => go(path)} />
  const above = <Segmented aria-label="查看" value={tab} options={tabs} onChange={(next) => go(path, { tab: next }, { replace: true })} />
  return tab === 'uses' ? <TemplateUses above={above} /> : <Templates above={above} />
}

function Templates({ above }: { above: React.ReactNode }) {
  const list = useListPage(templateList, { own: ['tab', 'id'], defaultSort: '-updateTime' })
  const go = useGo()
  const [making, setMaking] = useState(false)
  const [assigned, setAssigned] = useState<string>()
  const copy = useAct(copyTemplate, { success: '已复制为草稿', onDone: ({ id }) => go(path, { id }) })
  const disable = useAct(updateTemplate, { success: '已停用' })
  const remove = useAct(removeTemplate, { success: '模板已删除' })
  const removeMany = useAct(removeTemplates, { success: '模板已删除' })
  const columns: ColumnOf<typeof templateList>[] = [
    {
      key: 'name',
      width: 220,
      locked: true,
      sort: true,
      filter: 'text',
      value: (t) => (
        <>
          {t.name} {t.delivered && <Tag icon={false}>标准</Tag>}
        </>
      ),
    },
    {
      key: 'level',
      width: 84,
      filter: 'multi',
      options: screenLevels.map((level) => ({ value: String(level), label: screenLevelNames[level] ?? '' })),
      value: (t) => screenLevelNames[t.level],
    },
    {
      key: 'state',
      width: 96,
      filter: 'multi',
      options: Object.entries(templateStates).map(([value, label]) => ({ value, label })),
      value: (t) => <Tag tone={tones[t.state]}>{templateStates[t.state]}</Tag>,
    },
    { key: 'pages', width: 72, align: 'right', value: (t) => t.pages },
    { key: 'publishedVersion', width: 92, align: 'right', value: (t) => (t.publishedVersion ? `第 ${t.publishedVersion} 版` : undefined) },
    { key: 'usedCount', width: 92, align: 'right', value: (t) => t.usedCount },
    { key: 'updateBy', width: 110, value: (t) => t.updateBy },
    { key: 'updateTime', width: 160, sort: true, value: (t) => t.updateTime },
  ]
  const drop = (t: TemplateRow) =>
    remove.afterRequesting(
      { thing: `删除大屏模板 ${t.name}`, consequence: '各版本一并删除，不能恢复；正在使用的不能删除。', verb: '删除模板', keep: '保留' },
      { params: { id: t.id } },
    )
  return (
    <ListShell
      above={above}
      actions={
        <Can call={createTemplate}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setMaking(true)}>
            新建模板
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        name="screen-template"
        unit="个"
        search={{ key: 'name', placeholder: '模板名称' }}
        onRow={(t) => go(path, { id: t.id })}
        emptyHint="复制一个标准模板，再按自己的需要改"
        selection={{
          unit: '个',
          actions: (rows, clear) => (
            <Can call={removeTemplates}>
              <Button
                danger
                disabled={rows.some((t) => !t.own)}
                title={rows.some((t) => !t.own) ? '只能删除本机构的模板' : undefined}
                onClick={() =>
                  void removeMany
                    .afterRequesting(
                      {
                        thing: `删除 ${rows.length} 个大屏模板`,
                        consequence: '各版本一并删除，不能恢复；有一个正在使用则都不删除。',
                        verb: '删除模板',
                        keep: '保留',
                      },
                      { body: { ids: rows.map((t) => t.id) } },
                    )
                    .then((done) => done && clear())
                }
              >
                删除
              </Button>
            </Can>
          ),
        }}
        actions={(t) => [
          { label: t.own ? '编排' : '查看', href: hrefOf(path, { id: t.id }) },
          { label: '复制', needs: copyTemplate, onClick: () => void copy.run({ params: { id: t.id } }) },
          t.own &&
            t.state === templateState.published && {
              label: '分配',
              needs: withCode(updateTemplate, 'screens.assign'),
              onClick: () => setAssigned(t.id),
            },
          t.own &&
            t.state === templateState.published && {
              label: '停用',
              needs: withCode(updateTemplate, 'screens.publish'),
              onClick: () =>
                void disable.afterRequesting(
                  {
                    thing: `停用大屏模板 ${t.name}`,
                    consequence: '停用后不能再选用；正在使用的不能停用。',
                    verb: '停用模板',
                    keep: '保留',
                  },
                  { params: { id: t.id }, body: { action: 'disable', version: t.version } },
                ),
            },
          t.own && { label: '删除', danger: true, needs: removeTemplate, onClick: () => void drop(t) },
        ]}
      />
      {making && <NewTemplateDrawer onClose={() => setMaking(false)} onMade={(id) => go(path, { id })} />}
      {assigned && <AssignDrawer id={assigned} onClose={() => setAssigned(undefined)} />}
    </ListShell>
  )
}

const origins = [
  { value: 'standard', label: '从标准模板开始' },
  { value: 'blank', label: '空白，只有关键指标' },
]

function NewTemplateDrawer({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const type = useGroupType()
  const [from, setFrom] = useState<'standard' | 'blank'>('standard')
  const act = useAct(createTemplate, { success: '已新建草稿', onDone: ({ id }) => onMade(id) })
  const upmost = type === groupTypes.platform ? groupTypes.government : type
  const levels = screenLevels.filter((level) => level >= (upmost ?? groupTypes.project))
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="新建大屏模板"
      saveText="新建并编排"
      initial={{ level: String(levels[0]), description: '' }}
      input={(body) => ({ body: { ...body, level: Number(body.level), body: beginning(Number(body.level), from) ?? body.body } })}
      onClose={onClose}
    >
      <Field name="name" label="模板名称">
        <Input maxLength={40} />
      </Field>
      <Field name="level" label="级别" help="用于哪一级机构的大屏，新建后不能更改">
        <Choice clear={false} options={levels.map((level) => ({ value: String(level), label: screenLevelNames[level] ?? '' }))} />
      </Field>
      <div className="screen-line">
        <span>内容</span>
        <div>
          <Choice
            aria-label="内容"
            clear={false}
            value={from}
            options={origins}
            onChange={(next) => setFrom(next === 'blank' ? 'blank' : 'standard')}
          />
        </div>
      </div>
      <Field name="description" label="说明">
        <LongText maxLength={200} />
      </Field>
    </FormDrawer>
  )
}

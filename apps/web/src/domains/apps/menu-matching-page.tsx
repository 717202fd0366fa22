import { ArrowDownOutlined, ArrowUpOutlined, PlusOutlined } from '@ant-design/icons'
import {
  createRule,
  createScheme,
  homePaths,
  listRules,
  listSchemes,
  removeRule,
  removeScheme,
  type Scheme,
  type UiRule,
  updateRule,
} from '@zhugong/contract/apps/menu-endpoints'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { switchAction } from '#kit/enable.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { useHistory } from '#kit/history.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { RowActions } from '#kit/row-actions.tsx'
import { RuleDrawer, useConditionWords } from './rule-drawer.tsx'
import { SchemeEditor } from './scheme-editor.tsx'
import { TryRules } from './try-rules.tsx'
import './apps.css'

const { Field } = formOf(createScheme, updateRule)

/** Rules that assign a menu scheme and a home page to groups. The first matching rule applies. */
export default function MenuMatchingPage() {
  const rules = useCall(listRules, { query: { size: 200 } }, { quiet: true, keepPrevious: true })
  const schemes = useCall(listSchemes, { query: { size: 200 } }, { quiet: true, keepPrevious: true })
  const [chosen, setChosen] = useState<string>()
  const [rule, setRule] = useState<'new' | UiRule>()
  const [making, setMaking] = useState<{ copyOf?: Scheme }>()
  const error = rules.error ?? schemes.error
  if (error) return <ErrorPanel error={error} retry={() => Promise.all([rules.refetch(), schemes.refetch()])} />
  if (!rules.data || !schemes.data) return <DetailSkeleton />
  const scheme = schemes.data.list.find((one) => one.id === chosen) ?? schemes.data.list[0]
  const { unmatched } = rules.data
  return (
    <PageShell
      remark="只安排次序、名称与隐藏，不给任何人权限"
      actions={
        <>
          <Can call={createScheme}>
            <Button onClick={() => setMaking({})}>新增方案</Button>
          </Can>
          <Can call={createRule}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setRule('new')}>
              新增规则
            </Button>
          </Can>
        </>
      }
    >
      {unmatched.length > 0 && (
        <Notice tone="warning">
          {unmatched.length} 个组没有规则，看到全部可用菜单：
          {unmatched
            .slice(0, 8)
            .map((one) => one.name)
            .join('、')}
          {unmatched.length > 8 && ' 等'}
        </Notice>
      )}
      <Card title="规则" remark="自上而下，命中第一条即止" flush>
        <RuleTable rules={rules.data.list} onEdit={setRule} onScheme={setChosen} />
      </Card>
      <div className="apps-columns two">
        <Card title="菜单方案" remark={`${schemes.data.total} 个`} flush>
          {schemes.data.list.length === 0 && <Empty small text="还没有方案" hint="没有方案时按菜单列表显示" />}
          <ul className="apps-list">
            {schemes.data.list.map((one) => (
              <SchemeLine
                key={one.id}
                scheme={one}
                on={one.id === scheme?.id}
                onChoose={() => setChosen(one.id)}
                onCopy={() => setMaking({ copyOf: one })}
              />
            ))}
          </ul>
        </Card>
        {scheme && <SchemeEditor key={`${scheme.id} ${scheme.version}`} scheme={scheme} />}
      </div>
      <TryRules />
      {rule && <RuleDrawer rule={rule === 'new' ? undefined : rule} schemes={schemes.data.list} onClose={() => setRule(undefined)} />}
      {making && <SchemeDrawer copyOf={making.copyOf} onClose={() => setMaking(undefined)} />}
    </PageShell>
  )
}

function RuleTable({
  rules,
  onEdit,
  onScheme,
}: {
  rules: readonly UiRule[]
  onEdit: (rule: UiRule) => void
  onScheme: (id: string) => void
}) {
  const words = useConditionWords()
  const mayEdit = useCan(updateRule)
  const move = useAct(updateRule, { success: '规则次序已改变' })
  const change = useAct(updateRule, { success: '已办理' })
  const remove = useAct(removeRule, { success: '规则已删除' })
  const history = useHistory()
  const last = rules.filter((rule) => !rule.isDefault).length - 1
  const put = (rule: UiRule, position: number) => move.run({ params: { id: rule.id }, body: { position, version: rule.version } })
  return (
    <>
      {history.drawer}
      <table className="apps-table">
        <thead>
          <tr>
            <th>次序</th>
            <th>规则</th>
            <th>条件</th>
            <th>方案</th>
            <th>首页</th>
            <th>命中的组</th>
            <th>状态</th>
            <th>操作</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, at) => (
            <tr
              key={rule.id}
              draggable={mayEdit && !rule.isDefault}
              onDragStart={(event) => event.dataTransfer.setData('text/plain', rule.id)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                const dragged = rules.find((one) => one.id === event.dataTransfer.getData('text/plain'))
                if (dragged && !rule.isDefault && dragged.id !== rule.id) void put(dragged, at)
              }}
            >
              <td>
                {at + 1}
                {mayEdit && !rule.isDefault && (
                  <>
                    <Button
                      size="small"
                      type="text"
                      icon={<ArrowUpOutlined />}
                      disabled={at === 0}
                      aria-label={`${rule.name} 上移`}
                      onClick={() => void put(rule, at - 1)}
                    />
                    <Button
                      size="small"
                      type="text"
                      icon={<ArrowDownOutlined />}
                      disabled={at >= last}
                      aria-label={`${rule.name} 下移`}
                      onClick={() => void put(rule, at + 1)}
                    />
                  </>
                )}
              </td>
              <td>{rule.name}</td>
              <td>{rule.isDefault ? '其余所有组' : words(rule.conditions)}</td>
              <td>
                {rule.uiGroupId ? (
                  <button type="button" className="zg-bare zg-link" onClick={() => rule.uiGroupId && onScheme(rule.uiGroupId)}>
                    {rule.schemeName}
                  </button>
                ) : (
                  '按菜单列表'
                )}
              </td>
              <td>{homePaths[rule.homePath]}</td>
              <td title={rule.names.join('、')}>
                {rule.groups} 个{rule.alsoFits > 0 && <span className="zg-2">，另 {rule.alsoFits} 个被前面的规则先命中</span>}
              </td>
              <td>
                <Tag tone={isOn(rule.enable) ? 'fine' : 'neutral'}>{isOn(rule.enable) ? '启用' : '停用'}</Tag>
              </td>
              <td>
                <RowActions
                  items={[
                    { label: '修改', needs: updateRule, onClick: () => onEdit(rule) },
                    switchAction({
                      enable: rule.enable,
                      needs: updateRule,
                      question: {
                        thing: `停用规则 ${rule.name}`,
                        consequence: `现在命中的 ${rule.groups} 个组改由后面的规则决定，都不命中时看到全部可用菜单。`,
                        verb: '停用',
                        keep: '保持启用',
                      },
                      run: () => change.run({ params: { id: rule.id }, body: { enable: turned(rule.enable), version: rule.version } }),
                    }),
                    history.row({ kind: 'uiRule', object: rule.id, name: rule.name }),
                    {
                      label: '删除',
                      danger: true,
                      needs: removeRule,
                      disabled: rule.isDefault && '默认规则不能删除',
                      onClick: () =>
                        remove.afterRequesting(
                          {
                            thing: `删除规则 ${rule.name}`,
                            consequence: `现在命中的 ${rule.groups} 个组改由后面的规则决定。`,
                            verb: '删除规则',
                            keep: '保留',
                          },
                          { params: { id: rule.id } },
                        ),
                    },
                  ]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function SchemeLine({ scheme, on, onChoose, onCopy }: { scheme: Scheme; on: boolean; onChoose: () => void; onCopy: () => void }) {
  const remove = useAct(removeScheme, { success: '方案已删除' })
  const history = useHistory()
  return (
    <li className={on ? 'on' : ''}>
      {history.drawer}
      <button type="button" className="zg-bare grow" aria-current={on} onClick={onChoose}>
        <b>{scheme.name}</b> {scheme.dirty && <Tag tone="warning">有未发布的修改</Tag>}
        <br />
        <small className="zg-2">
          {scheme.publishedAt ? `${scheme.publishedAt} ${scheme.publishedBy} 发布` : '尚未发布'} · {scheme.groups} 个组在用
        </small>
      </button>
      <RowActions
        items={[
          { label: '复制', needs: createScheme, onClick: onCopy },
          history.row({ kind: 'scheme', object: scheme.id, name: scheme.name }),
          {
            label: '删除',
            danger: true,
            needs: removeScheme,
            disabled: scheme.rules > 0 && '有规则正在使用',
            onClick: () =>
              remove.afterRequesting(
                { thing: `删除方案 ${scheme.name}`, consequence: '没有规则使用它，删除后不能恢复。', verb: '删除方案', keep: '保留' },
                { params: { id: scheme.id } },
              ),
          },
        ]}
      />
    </li>
  )
}

function SchemeDrawer({ copyOf, onClose }: { copyOf: Scheme | undefined; onClose: () => void }) {
  const act = useAct(createScheme, { success: '方案已新增，发布后才能用于规则' })
  const schemes = useCall(listSchemes, { query: { size: 200 } }, { quiet: true })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="新增菜单方案"
      initial={{ copyOf: copyOf?.id, name: copyOf ? `${copyOf.name} 副本` : undefined }}
      onClose={onClose}
    >
      <Field name="name" label="方案名称">
        <Input />
      </Field>
      <Field name="remark" label="说明">
        <Input />
      </Field>
      <Field name="copyOf" label="复制自" help="不选即从菜单列表开始">
        <Choice options={(schemes.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))} />
      </Field>
    </FormDrawer>
  )
}

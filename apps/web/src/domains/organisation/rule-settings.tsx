import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { listRoles } from '@zhugong/contract/access/endpoints'
import { applyOrgTemplate, getOrgRules, type OrgRules } from '@zhugong/contract/organisation/brand'
import { updateGroup } from '@zhugong/contract/organisation/groups'
import { Button, Checkbox, Input, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { usePage } from '#kit/page.tsx'
import { SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { ruleDifferences, ruleFault } from './rule-words.ts'
import './organisation.css'

type Post = OrgRules['posts'][number]

/** Rules of the group: expected departments, default role of each post, posts that must be filled; and how far they are met. */
export function RuleSettings({ tabs }: { tabs: ReactNode }) {
  const page = usePage()
  const { data, error, refetch } = useCall(getOrgRules, {}, { quiet: true })
  const mayRoles = useCan(listRoles)
  const roles = useCall(listRoles, { query: { size: 200 } }, { quiet: true, enabled: mayRoles })
  const may = useCan(updateGroup)
  const [drafted, setDrafted] = useState<OrgRules>()
  const drop = () => setDrafted(undefined)
  const save = useAct(updateGroup, { onDone: drop })
  const apply = useAct(applyOrgTemplate, { success: ({ made }) => (made.length ? `已新增 ${made.join('、')}` : '没有缺少的部门') })
  const roleOptions = (roles.data?.list ?? []).map((r) => ({ value: r.id, label: r.name }))
  const rules = drafted ?? data?.rules ?? noRules
  const differences = data ? ruleDifferences(data.rules, rules, (id) => roleOptions.find((r) => r.value === id)?.label ?? '角色') : []
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const vacant = data.posts.filter((one) => one.isKey && one.holders.length === 0)
  const without = data.posts.reduce((sum, one) => sum + one.without, 0)
  const change = (part: Partial<OrgRules>) => setDrafted({ ...rules, ...part })
  const changePost = (at: number, part: Partial<Post>) =>
    change({ posts: rules.posts.map((one, i) => (i === at ? { ...one, ...part } : one)) })
  return (
    <SettingsPage
      remark="只是规则，人员与部门在组织管理中维护"
      last={{ by: data.updateBy, at: data.updateTime }}
      lock={may ? undefined : '没有组织设置的权限，此处只供查看'}
      differences={differences}
      fault={ruleFault(rules) ?? (Object.values(save.fieldErrors).join('；') || undefined)}
      saving={save.running}
      onSave={() => save.run({ params: { id: data.id }, body: { settings: { org: rules }, version: data.version } })}
      onUndo={drop}
      actions={tabs}
    >
      <FigureStrip
        items={[
          { label: '模板部门', value: data.rules.departments.length, unit: '个' },
          {
            label: '缺少的部门',
            value: data.missingDepartments.length,
            unit: '个',
            tone: data.missingDepartments.length ? 'warning' : undefined,
          },
          {
            label: '空缺的关键岗位',
            value: vacant.length,
            unit: '个',
            remark: vacant.map((one) => one.post).join('、') || undefined,
            tone: vacant.length ? 'danger' : undefined,
          },
          { label: '缺岗位角色', value: without, unit: '人', remark: '在岗而没有对应角色', tone: without ? 'warning' : undefined },
        ]}
      />
      <Card title="部门模板" remark="本组应有的部门，缺少的一步补齐">
        <div className="org-template">
          <Select
            mode="tags"
            aria-label="模板部门"
            value={rules.departments}
            tokenSeparators={['、', ',', '，', ' ']}
            options={usual.map((name) => ({ value: name, label: name }))}
            placeholder="输入部门名称，回车添加"
            onChange={(departments: string[]) => change({ departments })}
          />
          <Button
            disabled={data.missingDepartments.length === 0 || differences.length > 0}
            title={differences.length > 0 ? '请先保存' : undefined}
            loading={apply.running}
            onClick={() =>
              void apply.afterRequesting({
                thing: '按模板补齐部门',
                consequence: `将新增 ${data.missingDepartments.join('、')}；已有的部门和人员不变。`,
                verb: '补齐',
                keep: '暂不',
              })
            }
          >
            补齐 {data.missingDepartments.length} 个
          </Button>
        </div>
        {data.missingDepartments.length > 0 && <Notice tone="warning">还没有：{data.missingDepartments.join('、')}</Notice>}
      </Card>
      <Card title="岗位与默认角色" remark="以此岗位新加入本组而没有另选角色的人员，自动得到该角色" flush>
        <table className="org-posts">
          <thead>
            <tr>
              <th>岗位</th>
              <th>默认角色</th>
              <th>关键岗位</th>
              <th>现任</th>
              <th aria-label="操作" />
            </tr>
          </thead>
          <tbody>
            {rules.posts.map((one, at) => (
              <tr key={at}>
                <td>
                  <Input
                    aria-label={`第 ${at + 1} 个岗位`}
                    value={one.post}
                    maxLength={20}
                    onChange={(event) => changePost(at, { post: event.target.value })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`${one.post} 的默认角色`}
                    value={one.roleId}
                    allowClear
                    placeholder="不给角色"
                    options={roleOptions}
                    onChange={(roleId: string | undefined) => changePost(at, { roleId: roleId ?? null })}
                  />
                </td>
                <td>
                  <Checkbox checked={one.isKey} onChange={(event) => changePost(at, { isKey: event.target.checked })}>
                    不可空缺
                  </Checkbox>
                </td>
                <td>
                  <Holders state={data.posts.find((state) => state.post === one.post)} isKey={one.isKey} />
                </td>
                <td>
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={`删除岗位 ${one.post}`}
                    onClick={() => change({ posts: rules.posts.filter((_, i) => i !== at) })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="org-posts-foot">
          <Button
            type="dashed"
            icon={<PlusOutlined />}
            onClick={() => change({ posts: [...rules.posts, { post: '', roleId: null, isKey: false }] })}
          >
            添加岗位
          </Button>
        </div>
      </Card>
    </SettingsPage>
  )
}

const noRules: OrgRules = { departments: [], posts: [] }
/** Common department names, as suggestions. */
const usual = ['安全部', '质量部', '技术部', '物资设备部', '劳务部', '综合办公室', '财务部']

function Holders({ state, isKey }: { state: { holders: string[]; without: number } | undefined; isKey: boolean }) {
  if (!state) return <span className="zg-2">保存后统计</span>
  if (state.holders.length === 0) return isKey ? <Tag tone="danger">空缺</Tag> : <span className="zg-2">无人</span>
  return (
    <>
      <Link to="/system/organization">{state.holders.slice(0, 3).join('、')}</Link>
      {state.holders.length > 3 && ` 等 ${state.holders.length} 人`}
      {state.without > 0 && <Tag tone="warning">{state.without} 人没有该角色</Tag>}
    </>
  )
}

import { PlusOutlined } from '@ant-design/icons'
import { listRoles } from '@zhugong/contract/access/endpoints'
import { listApps } from '@zhugong/contract/apps/app-endpoints'
import { holderName } from '@zhugong/contract/apps/codes'
import { type PackageRow, packages, packageUses, saveDefaults } from '@zhugong/contract/apps/default-endpoints'
import { type BatchCell, batchApps, grantTargets } from '@zhugong/contract/apps/grant-endpoints'
import { listSchemes } from '@zhugong/contract/apps/menu-endpoints'
import { Button, Input, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { useHistory } from '#kit/history.tsx'
import { call, showFailure } from '#kit/http.ts'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { RowActions } from '#kit/row-actions.tsx'
import { Cells } from './grant-batch-drawers.tsx'
import { typeOptions } from './parts.tsx'

const { Field, useValue } = formOf(saveDefaults, batchApps)

type Open = { what: 'edit'; pack?: PackageRow; copy?: boolean } | { what: 'apply'; pack: PackageRow }

/** Packages of apps for new customers, and groups whose grants differ from their package. */
export default function PackagesPage() {
  const read = useCall(packages, { query: {} }, { quiet: true, keepPrevious: true })
  const [chosen, setChosen] = useState<string>()
  const [open, setOpen] = useState<Open>()
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const pack = read.data.list.find((one) => one.id === chosen) ?? read.data.list[0]
  return (
    <PageShell
      remark="新机构按默认方案开通；套用不会缩短期限，也不删除任何内容"
      actions={
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'edit' })}>
          新增方案
        </Button>
      }
    >
      <Card title="方案" remark={`${read.data.list.length} 个`} flush>
        <div className="apps-cards">
          {read.data.list.map((one) => (
            <button key={one.id} type="button" className="apps-card" aria-current={one.id === pack?.id} onClick={() => setChosen(one.id)}>
              <b>
                {one.name} {one.isDefault && <Tag tone="fine">默认</Tag>}
              </b>
              <span className="zg-2">
                {holderName(one.groupType)} · {one.apps.length} 个应用 · {one.days === null ? '长期' : `${one.days} 天`}
              </span>
              <span className="foot">
                {one.groups} 个机构在用
                {one.drifted > 0 && <Tag tone="warning">{one.drifted} 个有差异</Tag>}
              </span>
            </button>
          ))}
        </div>
      </Card>
      {pack && <PackageFile pack={pack} open={setOpen} />}
      {open?.what === 'edit' && <PackageDrawer pack={open.pack} copy={open.copy ?? false} onClose={() => setOpen(undefined)} />}
      {open?.what === 'apply' && <ApplyDrawer pack={open.pack} onClose={() => setOpen(undefined)} />}
    </PageShell>
  )
}

/** Contents of a package and the groups that use it. */
function PackageFile({ pack, open }: { pack: PackageRow; open: (open: Open) => void }) {
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true })
  const roles = useCall(listRoles, { query: { size: 200 } }, { quiet: true })
  const schemes = useCall(listSchemes, { query: { size: 200 } }, { quiet: true })
  const uses = useCall(packageUses, { query: { schemeId: pack.id } }, { quiet: true, keepPrevious: true })
  const save = useAct(saveDefaults, { success: '方案已删除' })
  const history = useHistory()
  const names = (ids: readonly string[], list: readonly { id: string; name: string }[] | undefined) =>
    ids.map((id) => list?.find((one) => one.id === id)?.name ?? id)
  return (
    <>
      {history.drawer}
      <Card
        title={pack.name}
        remark={pack.remark}
        actions={
          <RowActions
            items={[
              { label: '套用', onClick: () => open({ what: 'apply', pack }) },
              { label: '修改', onClick: () => open({ what: 'edit', pack }) },
              { label: '复制', onClick: () => open({ what: 'edit', pack, copy: true }) },
              history.row({ kind: 'package', object: pack.id, name: pack.name }),
              {
                label: '删除',
                danger: true,
                disabled: (pack.isDefault || pack.builtIn) && '默认方案和自带方案不能删除',
                onClick: () =>
                  save.afterRequesting(
                    {
                      thing: `删除方案 ${pack.name}`,
                      consequence: `${pack.groups} 个机构已开通的应用不变，只是不再比对差异。`,
                      verb: '删除方案',
                      keep: '保留',
                    },
                    { body: { schemeId: pack.id, remove: true, version: pack.version } },
                  ),
              },
            ]}
          />
        }
      >
        <div className="apps-columns">
          <div>
            <b>应用</b>
            <p>{names(pack.apps, apps.data?.list).join('、') || '没有应用'}</p>
          </div>
          <div>
            <b>角色模板</b>
            <p>{names(pack.roleIds, roles.data?.list).join('、') || '按组类型的默认角色'}</p>
          </div>
          <div>
            <b>菜单与首页</b>
            <p>{pack.uiGroupId ? names([pack.uiGroupId], schemes.data?.list)[0] : '按菜单匹配的规则'}</p>
          </div>
        </div>
      </Card>
      <Card title="使用情况" remark="手工套用过此方案的机构，与方案现在的内容比对" flush>
        {uses.error ? (
          <ErrorPanel error={uses.error} retry={uses.refetch} />
        ) : !uses.data?.list.length ? (
          <Empty small text="还没有机构套用" />
        ) : (
          <table className="apps-table">
            <thead>
              <tr>
                <th>机构</th>
                <th>类型</th>
                <th>地区</th>
                <th>套用时间</th>
                <th>少</th>
                <th>多</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {uses.data.list.map((one) => (
                <tr key={one.groupId}>
                  <td>{one.groupName}</td>
                  <td>{holderName(one.groupType)}</td>
                  <td>{one.areaName ?? '--'}</td>
                  <td>{one.appliedTime}</td>
                  <td>{one.missing.join('、') || '无'}</td>
                  <td>{one.beyond.join('、') || '无'}</td>
                  <td>{one.missing.length > 0 && <FillButton pack={pack} groupId={one.groupId} name={one.groupName} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
    </>
  )
}

function FillButton({ pack, groupId, name }: { pack: PackageRow; groupId: string; name: string }) {
  const act = useAct(batchApps, { success: `${name}已补齐` })
  return (
    <Button
      size="small"
      loading={act.running}
      onClick={() => void act.run({ body: { ids: [groupId], packageId: pack.id, reason: '补齐方案' } })}
    >
      补齐
    </Button>
  )
}

function PackageDrawer({ pack, copy, onClose }: { pack: PackageRow | undefined; copy: boolean; onClose: () => void }) {
  const act = useAct(saveDefaults)
  const edited = pack && !copy ? pack : undefined
  interface Fields {
    name: string
    groupType: string
    apps?: string[]
    days?: number | null
    roleIds?: string[]
    uiGroupId?: string | null
    isDefault?: boolean
    remark?: string
  }
  return (
    <FormDrawer
      open
      act={act}
      title={edited ? '修改方案' : '新增方案'}
      remark={edited?.name}
      initial={{
        name: pack ? (copy ? `${pack.name} 副本` : pack.name) : undefined,
        groupType: String(pack?.groupType ?? 3),
        apps: pack?.apps ?? [],
        days: pack?.days,
        roleIds: pack?.roleIds ?? [],
        uiGroupId: pack?.uiGroupId,
        isDefault: edited?.isDefault ?? false,
        remark: pack?.remark,
      }}
      input={(body) => {
        const given = body as unknown as Fields
        return {
          body: {
            schemeId: edited?.id,
            version: edited?.version,
            name: given.name ?? '',
            groupType: Number(given.groupType),
            apps: given.apps ?? [],
            days: given.days ?? null,
            roleIds: given.roleIds ?? [],
            uiGroupId: given.uiGroupId ?? null,
            isDefault: given.isDefault ?? false,
            remark: given.remark ?? '',
          },
        }
      }}
      onClose={onClose}
    >
      <PackageFields fixedType={edited !== undefined} />
    </FormDrawer>
  )
}

function PackageFields({ fixedType }: { fixedType: boolean }) {
  const type = Number(useValue('groupType') ?? 3)
  const apps = useCall(listApps, { query: { size: 200 } }, { quiet: true })
  const roles = useCall(listRoles, { query: { size: 200 } }, { quiet: true })
  const schemes = useCall(listSchemes, { query: { size: 200 } }, { quiet: true })
  return (
    <>
      <Field name="name" label="方案名称" required>
        <Input maxLength={30} />
      </Field>
      <Field name="groupType" label="适用">
        <Choice clear={false} disabled={fixedType} options={typeOptions} />
      </Field>
      <Field name="apps" label="应用" span="all">
        <Choices
          loading={apps.isPending}
          options={(apps.data?.list ?? [])
            .filter((app) => !app.base && app.groupTypes.includes(type))
            .map((app) => ({ value: app.id, label: app.name }))}
        />
      </Field>
      <Field name="days" label="天数" help="不填即长期">
        <NumberInput min={1} max={3660} unit="天" />
      </Field>
      <Field name="isDefault" label="此类机构的默认方案" valueName="checked">
        <Switch />
      </Field>
      <Field name="roleIds" label="角色模板">
        <Choices
          options={(roles.data?.list ?? [])
            .filter((role) => role.groupsType === type)
            .map((role) => ({ value: role.id, label: role.name }))}
        />
      </Field>
      <Field name="uiGroupId" label="菜单方案">
        <Choice options={(schemes.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))} />
      </Field>
      <Field name="remark" label="说明" span="all">
        <Input maxLength={200} />
      </Field>
    </>
  )
}

/** Applies a package to many groups, with a preview of what it adds. */
function ApplyDrawer({ pack, onClose }: { pack: PackageRow; onClose: () => void }) {
  const targets = useCall(grantTargets, { query: { type: String(pack.groupType) } }, { quiet: true })
  const [ids, setIds] = useState<string[]>([])
  const [cells, setCells] = useState<readonly BatchCell[]>()
  const act = useAct(batchApps, { success: '方案已套用', onDone: onClose })
  const body = { ids, packageId: pack.id, reason: `套用方案 ${pack.name}` }
  const look = () =>
    call(batchApps, { body: { ...body, dryRun: true } })
      .then((answer) => setCells(answer.cells))
      .catch(showFailure)
  return (
    <PageDrawer
      open
      size={860}
      title={`套用“${pack.name}”`}
      onClose={onClose}
      footer={
        <div className="apps-right">
          <Button disabled={ids.length === 0} onClick={() => void look()}>
            试算
          </Button>
          <Button type="primary" disabled={!cells} loading={act.running} onClick={() => void act.run({ body })}>
            套用
          </Button>
        </div>
      }
    >
      <Notice tone="info">只加不减：已有的应用和更晚的到期日不变，不删除任何内容。</Notice>
      <Choices
        aria-label={`套用的${holderName(pack.groupType)}`}
        placeholder={`选择${holderName(pack.groupType)}`}
        value={ids}
        options={(targets.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))}
        onChange={(next) => {
          setIds(next ?? [])
          setCells(undefined)
        }}
      />
      {cells && <Cells cells={cells} />}
    </PageDrawer>
  )
}

import { listRoles } from '@zhugong/contract/access/endpoints'
import { createGroupRole, type GroupRole, getGroupRole, groupRoleStat, updateGroupRole } from '@zhugong/contract/access/group-roles'
import { groupFunctions } from '@zhugong/contract/access/role-work'
import { Button } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { HistoryButton } from '#kit/history.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { RoleDesigner } from './role-designer.tsx'
import { codeDifferences, useRoleDraft } from './role-draft.ts'
import { RoleName } from './role-name.tsx'
import { type Places, PlacesCard, placesWords, usePlaces } from './role-places.tsx'
import { differenceOf, differenceWords } from './role-words.ts'

/** Edits one role of the group: its permissions and its projects. */
export default function JurisdictionSetPage() {
  const query = usePageQuery()
  const stat = useCall(groupRoleStat, {}, { quiet: true })
  const isNew = query.get('new') !== null
  const copyOf = query.get('copyOf') ?? ''
  const first = stat.data?.roles.find((one) => one.own) ?? stat.data?.roles[0]
  const roleId = copyOf || query.get('roleId') || first?.id || ''
  const read = useCall(getGroupRole, { params: { id: roleId } }, { quiet: true, enabled: roleId !== '' && !isNew })
  if (stat.error) return <ErrorPanel error={stat.error} retry={stat.refetch} />
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!stat.data || (roleId && !isNew && !read.data)) return <DetailSkeleton />
  const role = isNew ? undefined : read.data
  return <Editor key={`${role?.id ?? 'new'} ${copyOf} ${role?.version ?? ''}`} role={role} isCopy={copyOf !== ''} roles={stat.data.roles} />
}

interface EditorProps {
  role: GroupRole | undefined
  isCopy: boolean
  roles: readonly { id: string; name: string; own: boolean; users: number }[]
}

const everywhere: Places = { tied: false, projects: [], projectGroups: [] }

function Editor({ role, isCopy, roles }: EditorProps) {
  const page = usePage()
  const go = useGo()
  const isNew = !role || isCopy
  const tree = useCall(groupFunctions, {}, { quiet: true })
  const templates = useCall(listRoles, { query: { view: 'template', size: 100 } }, { quiet: true, enabled: isNew })
  const [templateId, setTemplateId] = useState<string | undefined>(
    isCopy ? (role?.groupName === null ? role.id : (role?.templateId ?? undefined)) : undefined,
  )
  const draft = useRoleDraft(isCopy && role ? { ...role, name: `${role.name}（副本）` } : role)
  const saved: Places = isNew || !role ? everywhere : { tied: role.tied, projects: role.projects, projectGroups: role.projectGroups }
  const [places, setPlaces] = useState<Places>(
    isCopy && role ? { tied: role.tied, projects: role.projects, projectGroups: role.projectGroups } : saved,
  )
  const names = usePlaces()
  const opened = (id: string) => go('/system/jurisdictionSet', { roleId: id }, { replace: true })
  const make = useAct(createGroupRole, { success: '角色已新增', onDone: ({ id }) => opened(id) })
  const save = useAct(updateGroupRole)
  const mayEdit = useCan(updateGroupRole)
  const lock = !mayEdit
    ? '没有维护角色的权限，此处只供查看'
    : !isNew && !role.editable
      ? '内置角色与平台模板不能修改，请用“复制为本组角色”'
      : undefined
  const before = isNew ? [] : role.codes
  const differences: Difference[] = [
    ...codeDifferences({ name: isNew ? '' : role.name, remark: isNew ? '' : role.remark, codes: before }, draft.value),
    ...(JSON.stringify(saved) === JSON.stringify(places)
      ? []
      : [{ label: '数据范围', before: placesWords(saved, names), after: placesWords(places, names) }]),
  ]
  // An untouched form shows no errors.
  const unnamed = !draft.value.name && differences.length > 0 ? '请填写角色名称' : undefined
  useUnsaved(differences.length > 0 && !lock, page.cacheKey, page.entry.title)
  if (tree.error) return <ErrorPanel error={tree.error} retry={tree.refetch} />
  if (!tree.data) return <DetailSkeleton />
  const run = async () => {
    const { name, remark, codes } = draft.value
    const body = {
      name,
      remark,
      codes: [...codes],
      tied: places.tied,
      projects: [...places.projects],
      projectGroups: [...places.projectGroups],
    }
    if (isNew) return make.run({ body: { ...body, templateId: templateId ?? null } })
    const { removed } = differenceOf(before, codes)
    const sure =
      removed.length === 0 ||
      (await confirmDanger({
        thing: `从角色 ${role.name} 去掉 ${removed.length} 项权限`,
        consequence: `${role.people.length} 人随之改变，其中 ${role.online} 人正在使用，几秒内失去这些权限。`,
        verb: '保存',
        keep: '再看看',
      }))
    return sure ? save.run({ params: { id: role.id }, body: { ...body, version: role.version } }) : undefined
  }
  const takeTemplate = (id: string | undefined) => {
    setTemplateId(id)
    const template = templates.data?.list.find((one) => one.id === id)
    const existing = new Set(tree.data.functions.filter((one) => one.held && one.open).map((one) => one.code))
    if (template) draft.change({ codes: template.codes.filter((code) => existing.has(code)), name: draft.value.name || template.name })
  }
  const drift = role?.templateCodes && !isNew ? differenceOf(role.templateCodes, draft.value.codes) : undefined
  return (
    <SettingsPage
      remark={isNew ? '本组自己的角色，不超出本组和您所持有的权限' : `${role.people.length} 人使用`}
      last={isNew ? undefined : { by: role.updateBy, at: role.updateTime }}
      lock={lock}
      differences={differences}
      fault={unnamed ?? (make.error ?? save.error)?.message}
      locksItself
      saving={make.running || save.running}
      onSave={run}
      onUndo={() => {
        draft.undo()
        setPlaces(saved)
      }}
      actions={
        <>
          {!isNew && <HistoryButton kind="role" object={role.id} name={role.name} />}
          <Button onClick={() => go('/system/jurisdictionSet', { new: '1' }, { replace: true })}>新增角色</Button>
        </>
      }
    >
      <Card
        actions={
          lock &&
          role &&
          mayEdit && <Button onClick={() => go('/system/jurisdictionSet', { copyOf: role.id }, { replace: true })}>复制为本组角色</Button>
        }
        title="角色"
      >
        <div className="acc-row">
          {!isNew && (
            <div className="acc-pick">
              <Choice
                aria-label="角色"
                clear={false}
                value={role.id}
                onChange={(id) => id && opened(id)}
                options={roles.map((one) => ({ value: one.id, label: `${one.name}（${one.users} 人${one.own ? '' : '，内置'}）` }))}
              />
            </div>
          )}
          {isNew && (
            <div className="acc-pick">
              <Choice
                aria-label="参照的角色"
                placeholder="参照的角色"
                value={templateId}
                onChange={takeTemplate}
                loading={templates.isPending}
                options={(templates.data?.list ?? []).map((one) => ({ value: one.id, label: `参照 ${one.name}` }))}
              />
            </div>
          )}
          <RoleName
            name={draft.value.name}
            remark={draft.value.remark}
            onChange={draft.change}
            readOnly={lock !== undefined}
            fault={unnamed}
          />
        </div>
      </Card>
      {role && role.taken.length > 0 && <Notice tone="warning">上级在本组从此角色收窄了 {role.taken.length} 项权限，保存后也不生效</Notice>}
      {drift && drift.added.length + drift.removed.length > 0 && (
        <Notice
          tone="info"
          actions={
            !lock && (
              <Button size="small" onClick={() => draft.change({ codes: role?.templateCodes ?? [] })}>
                重新跟随模板
              </Button>
            )
          }
        >
          与模板“{role?.templateName}”相差 {differenceWords(drift)} 项
        </Notice>
      )}
      <RoleDesigner
        tree={tree.data}
        codes={draft.value.codes}
        before={before}
        onChange={(codes) => draft.change({ codes })}
        readOnly={lock !== undefined}
        aside={
          <>
            <PlacesCard places={places} onChange={setPlaces} names={names} readOnly={lock !== undefined} />
            {!isNew && (
              <Card title="受影响成员" remark={`${role.people.length} 人，${role.online} 人在线`}>
                {role.people.length === 0 ? (
                  <Empty small text="还没有人使用此角色" />
                ) : (
                  role.people.map((one) => (one.deadline ? `${one.name}（至 ${one.deadline}）` : one.name)).join('、')
                )}
              </Card>
            )}
          </>
        }
      />
    </SettingsPage>
  )
}

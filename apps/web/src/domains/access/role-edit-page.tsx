import { createRole, getRole, updateRole } from '@zhugong/contract/access/endpoints'
import { groupTypeName, groupTypeOptions, groupTypes } from '@zhugong/contract/access/group-types'
import { roleFunctions, roleHolders } from '@zhugong/contract/access/role-work'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { HistoryButton } from '#kit/history.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useGroupType } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { Narrowing } from './narrowing.tsx'
import { RoleDesigner } from './role-designer.tsx'
import { codeDifferences, useRoleDraft } from './role-draft.ts'
import { RoleName } from './role-name.tsx'
import { differenceOf, differenceWords, personalRisk, type Role } from './role-words.ts'

/** Edits a role template and its permissions. */
export default function RoleEditPage() {
  const query = usePageQuery()
  const [roleId, copyOf] = [query.get('roleId') ?? '', query.get('copyOf') ?? '']
  const read = useCall(getRole, { params: { id: roleId || copyOf } }, { quiet: true, enabled: roleId !== '' || copyOf !== '' })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if ((roleId || copyOf) && !read.data) return <DetailSkeleton />
  return <Editor key={`${roleId} ${copyOf} ${read.data?.version ?? ''}`} role={read.data} isCopy={copyOf !== ''} />
}

function Editor({ role, isCopy }: { role: Role | undefined; isCopy: boolean }) {
  const page = usePage()
  const go = useGo()
  const ownType = useGroupType() ?? groupTypes.platform
  const isPlatform = ownType === groupTypes.platform
  const [type, setType] = useState(role?.groupsType ?? ownType)
  const [view, setView] = useState('functions')
  const draft = useRoleDraft(isCopy && role ? { ...role, name: `${role.name}（副本）` } : role)
  const tree = useCall(roleFunctions, { query: isPlatform ? { groupsType: type } : {} }, { quiet: true })
  const isNew = !role || isCopy
  const holders = useCall(roleHolders, { params: { id: role?.id ?? '' } }, { quiet: true, enabled: !isNew })
  const opened = (id: string) => go('/rolePermissionEdit', { roleId: id }, { replace: true })
  const make = useAct(createRole, { success: '角色已新增', onDone: ({ id }) => opened(id) })
  const save = useAct(updateRole)
  const mayEdit = useCan(updateRole)
  const lock = useLock({ mayEdit, role, isNew, isPlatform })
  const before = isNew ? [] : (role?.codes ?? [])
  const differences = codeDifferences(
    { name: isNew ? '' : (role?.name ?? ''), remark: isNew ? '' : (role?.remark ?? ''), codes: before },
    draft.value,
  )
  useUnsaved(differences.length > 0 && !lock, page.cacheKey, page.entry.title)
  if (tree.error) return <ErrorPanel error={tree.error} retry={tree.refetch} />
  if (!tree.data) return <DetailSkeleton />
  const run = async (copy: boolean) => {
    const { name, remark } = draft.value
    const codes = [...draft.value.codes]
    const difference = differenceOf(before, codes)
    const personal = tree.data.functions.filter((one) => one.risk === personalRisk && difference.added.includes(one.code))
    const sure = await confirmDanger({
      thing: `${isNew || copy ? '新增' : '保存'}角色 ${name}`,
      consequence: (
        <>
          {differenceWords(difference)} 项权限
          {!isNew && holders.data && `，${holders.data.groups} 个组的 ${holders.data.users} 人随之改变`}。
          {personal.length > 0 && <b className="tone-danger"> 含个人信息类：{personal.map((one) => one.name).join('、')}</b>}
        </>
      ),
      verb: '保存',
      keep: '再看看',
    })
    if (!sure) return
    if (isNew || copy) {
      const body = { name: copy ? `${name}（副本）` : name, remark, codes }
      await make.run({ body: isPlatform ? { ...body, groupsType: type } : body })
    } else if (role) await save.run({ params: { id: role.id }, body: { name, remark, codes, version: role.version } })
  }
  // An untouched form shows no errors.
  const unnamed = !draft.value.name && differences.length > 0 ? '请填写角色名称' : undefined
  return (
    <SettingsPage
      remark={isNew ? '角色模板，供这类机构的各组使用' : `${groupTypeName(role.groupsType)}角色，${role.functionCount} 项权限`}
      last={isNew ? undefined : { by: role.updateBy, at: role.updateTime }}
      lock={lock}
      differences={differences}
      fault={unnamed ?? (make.error ?? save.error)?.message}
      locksItself
      saving={make.running || save.running}
      onSave={() => run(false)}
      onUndo={draft.undo}
      actions={
        !isNew && (
          <>
            <HistoryButton kind="role" object={role.id} name={role.name} />
            <Button onClick={() => void run(true)}>另存为副本</Button>
          </>
        )
      }
    >
      <Card>
        <div className="acc-row">
          <RoleName
            name={draft.value.name}
            remark={draft.value.remark}
            onChange={draft.change}
            readOnly={lock !== undefined}
            fault={unnamed}
          >
            {isPlatform && isNew && (
              <div className="acc-labelled acc-name">
                <span aria-hidden>机构类型</span>
                <Choice
                  aria-label="机构类型"
                  clear={false}
                  options={groupTypeOptions}
                  value={String(type)}
                  onChange={(next) => setType(Number(next) as typeof type)}
                />
              </div>
            )}
          </RoleName>
          {lock && mayEdit && isPlatform && role && <Button onClick={() => go('/rolePermissionEdit', { copyOf: role.id })}>复制</Button>}
          {!isNew && (
            <Segmented
              aria-label="视图"
              value={view}
              onChange={setView}
              options={[
                { value: 'functions', label: '权限' },
                { value: 'narrowing', label: '组内收窄' },
              ]}
            />
          )}
        </div>
      </Card>
      {view === 'functions' || !role ? (
        <RoleDesigner
          tree={tree.data}
          codes={draft.value.codes}
          before={before}
          onChange={(codes) => draft.change({ codes })}
          readOnly={lock !== undefined}
          aside={
            holders.data && (
              <Card title="受影响" remark={`${holders.data.groups} 个组，${holders.data.users} 人`}>
                {holders.data.people.map((one) => `${one.name}（${one.groupName}）`).join('、') || '还没有人使用此角色'}
              </Card>
            )
          }
        />
      ) : (
        <Narrowing roleId={role.id} functions={tree.data.functions} />
      )}
    </SettingsPage>
  )
}

interface LockProps {
  mayEdit: boolean
  role: Role | undefined
  isNew: boolean
  isPlatform: boolean
}
function useLock({ mayEdit, role, isNew, isPlatform }: LockProps): string | undefined {
  if (!mayEdit) return '没有维护角色的权限，此处只供查看'
  if (isNew) return isPlatform ? undefined : '角色模板由平台维护；本组的角色在“权限设置”中新增'
  if (role?.builtIn) return '系统内置角色不能修改，请复制后再改'
  if (role?.groupName === null && !isPlatform) return '角色模板由平台维护，此处只供查看'
  return undefined
}

import { listRoles } from '@zhugong/contract/access/endpoints'
import {
  addOrgMembers,
  addOrgUser,
  changeOrgPosts,
  createOrg,
  type OrgMember,
  type OrgNode,
  removeOrg,
  updateOrg,
  updateOrgMember,
} from '@zhugong/contract/organisation/org'
import { AutoComplete, Input, Switch } from 'antd'
import { z } from 'zod'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FormDrawer } from '#kit/form.tsx'
import { fieldsOf, formOf } from '#kit/form-of.ts'
import { Choices, TreeChoice } from '#kit/inputs.tsx'
import { optionsOf } from './org-tree.ts'

const department = formOf(createOrg, updateOrg)
const added = formOf(addOrgUser)
const placed = formOf(addOrgMembers, changeOrgPosts)
const member = formOf(updateOrgMember)

interface DrawerProps {
  tree: readonly OrgNode[]
  onClose: () => void
}

/** Creates a department below `parent`, or at the top level. */
export function NewOrgDrawer({ tree, parent, onClose }: DrawerProps & { parent: OrgNode | undefined }) {
  const act = useAct(createOrg, { success: '部门已新增' })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="新增部门"
      initial={{ parentId: parent?.id }}
      input={(body) => ({ body: { ...body, parentId: body.parentId ?? null } })}
      onClose={onClose}
    >
      <department.Field name="name" label="部门名称">
        <Input />
      </department.Field>
      <department.Field name="parentId" label="上级部门" help="不选即为顶层">
        <TreeChoice tree={optionsOf(tree)} />
      </department.Field>
    </FormDrawer>
  )
}

/** Name and position of a department; also the alternative to dragging. */
export function ChangeOrgDrawer({ tree, node, onClose }: DrawerProps & { node: OrgNode }) {
  const act = useAct(updateOrg)
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="修改部门"
      remark={node.name}
      initial={{ name: node.name, parentId: node.parentId ?? undefined, version: node.version }}
      input={(body) => ({ params: { id: node.id }, query: {}, body: { ...body, parentId: body.parentId ?? null, version: node.version } })}
      onClose={onClose}
    >
      <department.Field name="name" label="部门名称">
        <Input />
      </department.Field>
      <department.Field name="parentId" label="上级部门" help="不选即为顶层">
        <TreeChoice tree={optionsOf(tree, node.id)} />
      </department.Field>
    </FormDrawer>
  )
}

const mergeBody = z.object({ moveTo: z.string({ error: '请选择并入的部门' }) })
const merge = fieldsOf<z.infer<typeof mergeBody>>()

/** Merges a department into another: moves its people and subdepartments, then deletes it. */
export function MergeDrawer({ tree, node, onClose }: DrawerProps & { node: OrgNode }) {
  const act = useAct(removeOrg, { success: '已并入' })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      schema={mergeBody}
      title="并入其他部门"
      remark={node.name}
      saveText="并入并删除"
      input={(body) => ({ params: { id: node.id }, query: mergeBody.parse(body) })}
      onClose={onClose}
    >
      <merge.Field
        name="moveTo"
        label="并入"
        help={`${node.name} 的 ${node.own} 人和 ${node.children.length} 个下级部门一并转入，原部门随即删除`}
      >
        <TreeChoice tree={optionsOf(tree, node.id)} />
      </merge.Field>
    </FormDrawer>
  )
}

/** Post: one of the dictionary, or free text. */
function PostInput(props: { value?: string; onChange?: (value: string) => void; id?: string }) {
  const { options } = useDicts('managerPost')
  const names = options('managerPost').map((one) => ({ value: one.label }))
  return (
    <AutoComplete
      {...props}
      options={names}
      showSearch={{ filterOption: (typed, option) => String(option?.value ?? '').includes(typed) }}
      maxLength={20}
    />
  )
}

/** Adds a person by the complete account name; a new member of the group also gets roles. */
export function AddUserDrawer({ node, onClose }: { node: OrgNode; onClose: () => void }) {
  const act = useAct(addOrgUser, {
    success: ({ name, pending }) =>
      pending ? `已邀请 ${name}，由其本人在“个人设置”接受后加入本组，再安排部门` : `${name} 已加入${node.name}`,
  })
  const mayRoles = useCan(listRoles)
  const roles = useCall(listRoles, { query: { size: 200 } }, { quiet: true, enabled: mayRoles })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="添加人员"
      remark={node.name}
      initial={{ orgId: node.id }}
      input={(body) => ({ body: { ...body, orgId: node.id } })}
      onClose={onClose}
    >
      <added.Field name="account" label="账号" help="须填写完整账号">
        <Input autoComplete="off" />
      </added.Field>
      <added.Field name="post" label="岗位">
        <PostInput />
      </added.Field>
      <added.Field name="isHead" label="部门负责人" valueName="checked">
        <Switch />
      </added.Field>
      <added.Field name="roleIds" label="角色" help="新加入本组的人员必选，已在本组的不变">
        <Choices options={(roles.data?.list ?? []).map((r) => ({ value: r.id, label: r.name }))} loading={roles.isPending} />
      </added.Field>
    </FormDrawer>
  )
}

interface PlaceProps extends DrawerProps {
  people: readonly OrgMember[]
  /** Department to move people from; undefined to add them to another department. */
  from?: OrgNode | undefined
  onDone?: (() => void) | undefined
}

/** Adds members to a department, or moves them to another post or department. */
export function PlaceDrawer({ from, ...props }: PlaceProps) {
  const join = useAct(addOrgMembers, { success: '已加入部门', onDone: props.onDone })
  const post = useAct(changeOrgPosts, { success: '调岗已生效', onDone: props.onDone })
  const memberIds = props.people.map((p) => p.id)
  return from ? (
    <PlaceForm
      {...props}
      act={post}
      title="调岗"
      orgField="toOrgId"
      initial={{ orgId: from.id, memberIds, toOrgId: from.id }}
      input={(body) => ({ body: { ...body, orgId: from.id, memberIds } })}
    />
  ) : (
    <PlaceForm
      {...props}
      act={join}
      schema={addOrgMembers.schemas.body}
      title="加入部门"
      orgField="orgId"
      initial={{ memberIds }}
      input={(body) => ({ body: { ...body, memberIds } })}
    />
  )
}

type FormProps<In, Out> = Parameters<typeof FormDrawer<In, Out>>[0]

function PlaceForm<In, Out>({
  tree,
  people,
  orgField,
  onDone: _done,
  ...form
}: Omit<PlaceProps, 'from'> &
  Pick<FormProps<In, Out>, 'act' | 'schema' | 'title' | 'initial' | 'input'> & { orgField: 'orgId' | 'toOrgId' }) {
  return (
    <FormDrawer open narrow width={420} remark={namesOf(people)} {...form}>
      <placed.Field name={orgField} label="部门">
        <TreeChoice tree={optionsOf(tree)} />
      </placed.Field>
      <placed.Field name="post" label="岗位">
        <PostInput />
      </placed.Field>
    </FormDrawer>
  )
}

/** One person's post in a department, and whether that person heads it. */
export function MemberDrawer({ node, person, onClose }: { node: OrgNode; person: OrgMember; onClose: () => void }) {
  const act = useAct(updateOrgMember)
  const place = person.places.find((p) => p.orgId === node.id)
  const kept = { orgId: node.id, version: place?.version ?? 0 }
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="修改岗位"
      remark={`${person.name} · ${node.name}`}
      initial={{ ...kept, post: place?.post, isHead: place?.isHead ?? false }}
      input={(body) => ({ params: { id: person.id }, body: { ...body, ...kept } })}
      onClose={onClose}
    >
      <member.Field name="post" label="岗位">
        <PostInput />
      </member.Field>
      <member.Field name="isHead" label="部门负责人" valueName="checked">
        <Switch />
      </member.Field>
    </FormDrawer>
  )
}

const shownNames = 3
const namesOf = (people: readonly OrgMember[]) =>
  `${people
    .slice(0, shownNames)
    .map((p) => p.name)
    .join('、')}${people.length > shownNames ? ` 等 ${people.length} 人` : ''}`

import { isOn } from '@zhugong/contract/kit/enable'
import { listOrgMembers } from '@zhugong/contract/organisation/org'
import {
  changeFolder,
  copyFolders,
  createFolder,
  type FolderModule,
  type FolderNode,
  folderModules,
  removeFolder,
  updateFolder,
} from '@zhugong/contract/organisation/project-groups'
import { Input } from 'antd'
import { z } from 'zod'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { fieldsOf, formOf } from '#kit/form-of.ts'
import { Choice, TreeChoice } from '#kit/inputs.tsx'
import { optionsOf } from './org-tree.ts'

const folder = formOf(createFolder, updateFolder)
const moved = formOf(changeFolder)
const copied = formOf(copyFolders)

interface DrawerProps {
  tree: readonly FolderNode[]
  module: FolderModule
  onClose: () => void
}

/** Members of the group as options; empty without the permission to see them. */
function useHeads() {
  const may = useCan(listOrgMembers)
  const members = useCall(listOrgMembers, { query: { size: 200, sort: 'name' } }, { quiet: true, enabled: may })
  return (members.data?.list ?? []).map((m) => ({ value: m.id, label: m.name }))
}

/** Creates a folder below `parent`, or at the top level. */
export function NewFolderDrawer({ tree, module, parent, onClose }: DrawerProps & { parent: FolderNode | undefined }) {
  const act = useAct(createFolder, { success: '项目组已新增' })
  const heads = useHeads()
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="新增项目组"
      remark={folderModules[module]}
      initial={{ module, parentId: parent?.id }}
      input={(body) => ({ body: { ...body, module, parentId: body.parentId ?? null } })}
      onClose={onClose}
    >
      <FolderFields options={optionsOf(tree)} heads={heads} />
    </FormDrawer>
  )
}

/** Name, position and head of a folder; also the alternative to dragging. */
export function ChangeFolderDrawer({ tree, node, onClose }: Omit<DrawerProps, 'module'> & { node: FolderNode }) {
  const act = useAct(updateFolder)
  const heads = useHeads()
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="修改项目组"
      remark={node.name}
      initial={{ name: node.name, parentId: node.parentId ?? undefined, headId: node.headId ?? undefined, version: node.version }}
      input={(body) => ({
        params: { id: node.id },
        body: { ...body, parentId: body.parentId ?? null, headId: body.headId ?? null, version: node.version },
      })}
      onClose={onClose}
    >
      <FolderFields options={optionsOf(tree, node.id)} heads={heads} />
    </FormDrawer>
  )
}

const FolderFields = ({ options, heads }: { options: ReturnType<typeof optionsOf>; heads: ReturnType<typeof useHeads> }) => (
  <>
    <folder.Field name="name" label="项目组名称">
      <Input />
    </folder.Field>
    <folder.Field name="parentId" label="上级项目组" help="不选即为顶层">
      <TreeChoice tree={options} />
    </folder.Field>
    {heads.length > 0 && (
      <folder.Field name="headId" label="负责人">
        <Choice options={heads} />
      </folder.Field>
    )}
  </>
)

const mergeBody = z.object({ moveTo: z.string({ error: '请选择并入的项目组' }) })
const merge = fieldsOf<z.infer<typeof mergeBody>>()

/** Merges a folder into another: moves its projects and subfolders, then deletes it. */
export function MergeFolderDrawer({ tree, node, onClose, onGone }: Omit<DrawerProps, 'module'> & { node: FolderNode; onGone: () => void }) {
  const act = useAct(removeFolder, { success: '已并入', onDone: onGone })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      schema={mergeBody}
      title="并入其他项目组"
      remark={node.name}
      saveText="并入并删除"
      initial={{ moveTo: node.parentId ?? undefined }}
      input={(body) => ({ params: { id: node.id }, query: mergeBody.parse(body) })}
      onClose={onClose}
    >
      <merge.Field
        name="moveTo"
        label="并入"
        help={`${node.name} 的 ${node.own} 个项目和 ${node.children.length} 个下级项目组一并转入，原项目组随即删除`}
      >
        <TreeChoice tree={optionsOf(tree, node.id)} />
      </merge.Field>
    </FormDrawer>
  )
}

/** Moves several projects into a folder, or out of theirs. */
export function MoveProjectsDrawer({
  tree,
  module,
  projects,
  onClose,
  onDone,
}: DrawerProps & { projects: readonly { projectCode: string; name: string }[]; onDone?: (() => void) | undefined }) {
  const act = useAct(changeFolder, { success: ({ moved }) => `已移动 ${moved} 个项目`, onDone })
  const projectCodes = projects.map((p) => p.projectCode)
  const open = (nodes: readonly FolderNode[]): FolderNode[] =>
    nodes.filter((n) => isOn(n.enable)).map((n) => ({ ...n, children: open(n.children) }))
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="移到项目组"
      remark={projects.length === 1 ? projects[0]?.name : `${projects.length} 个项目`}
      initial={{ module, projectCodes }}
      input={(body) => ({ body: { ...body, module, projectCodes, groupId: body.groupId ?? null } })}
      onClose={onClose}
    >
      <moved.Field name="groupId" label="项目组" help="不选即移出所在项目组，归入未分组">
        <TreeChoice tree={optionsOf(open(tree))} />
      </moved.Field>
    </FormDrawer>
  )
}

/** Copies the folder tree of another module to a module without one. */
export function CopyFoldersDrawer({ module, onClose }: Omit<DrawerProps, 'tree'>) {
  const act = useAct(copyFolders, { success: ({ folders }) => `已复制 ${folders} 个项目组` })
  const others = Object.entries(folderModules).flatMap(([value, label]) => (value === module ? [] : [{ value, label }]))
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="从其他模块复制"
      remark={folderModules[module]}
      initial={{ to: module }}
      input={(body) => ({ body: { ...body, to: module } })}
      onClose={onClose}
    >
      <copied.Field name="from" label="来源模块" help="项目组与其中的项目一并复制，之后两边各自维护">
        <Choice options={others} />
      </copied.Field>
    </FormDrawer>
  )
}

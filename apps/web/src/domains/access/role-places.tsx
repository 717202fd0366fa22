import { folderTree } from '@zhugong/contract/organisation/project-groups'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Bone, Card } from '#kit/feedback.tsx'
import { Choices } from '#kit/inputs.tsx'
import type { Option } from '#kit/list-state.ts'

/** Projects a role applies to: the whole group, or the listed projects and all projects in the listed folders. */
export interface Places {
  tied: boolean
  projects: readonly string[]
  projectGroups: readonly string[]
}

export interface PlaceNames {
  projects: Option[]
  folders: Option[]
  loading: boolean
}

interface Folder {
  id: string
  name: string
  children: readonly Folder[]
}
const flat = (nodes: readonly Folder[], above = ''): Option[] =>
  nodes.flatMap((node) => [{ value: node.id, label: `${above}${node.name}` }, ...flat(node.children, `${above}${node.name}/`)])

const mostChoices = 1000
/** Projects and folders that a role of this group can be limited to. */
export function usePlaces(): PlaceNames {
  const mayFolders = useCan(folderTree)
  const projects = useCall(pickProjects, { query: { size: mostChoices } }, { quiet: true })
  const folders = useCall(folderTree, { query: {} }, { quiet: true, enabled: mayFolders })
  return {
    projects: (projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name })),
    folders: flat(folders.data?.tree ?? []),
    loading: projects.isPending || (mayFolders && folders.isPending),
  }
}

export function placesWords({ tied, projects, projectGroups }: Places, names: PlaceNames): string {
  if (!tied) return '本组全部'
  const named = (options: readonly Option[], value: string) => options.find((one) => one.value === value)?.label ?? value
  const all = [...projectGroups.map((id) => `项目组 ${named(names.folders, id)}`), ...projects.map((code) => named(names.projects, code))]
  return all.join('、') || '没有项目'
}

interface PlacesCardProps {
  places: Places
  onChange: (places: Places) => void
  names: PlaceNames
  readOnly: boolean
}

const reaches = [
  { value: 'all', label: '本组全部' },
  { value: 'tied', label: '指定项目' },
]

export function PlacesCard({ places, onChange, names, readOnly }: PlacesCardProps) {
  if (readOnly)
    return (
      <Card title="数据范围" remark="此角色的权限只在这里有效">
        {names.loading ? <Bone /> : placesWords(places, names)}
      </Card>
    )
  return (
    <Card title="数据范围" remark="此角色的权限只在这里有效">
      <Segmented
        aria-label="数据范围"
        value={places.tied ? 'tied' : 'all'}
        options={reaches}
        onChange={(next) => onChange(next === 'tied' ? { ...places, tied: true } : { tied: false, projects: [], projectGroups: [] })}
      />
      {places.tied && (
        <>
          <p className="zg-2">项目组（以后归入的项目一并有效）</p>
          <Choices
            aria-label="项目组"
            value={[...places.projectGroups]}
            options={names.folders}
            loading={names.loading}
            onChange={(next) => onChange({ ...places, projectGroups: next ?? [] })}
          />
          <p className="zg-2">项目</p>
          <Choices
            aria-label="项目"
            value={[...places.projects]}
            options={names.projects}
            loading={names.loading}
            onChange={(next) => onChange({ ...places, projects: next ?? [] })}
          />
        </>
      )}
    </Card>
  )
}

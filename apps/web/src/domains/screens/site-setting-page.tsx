import { useProjectCode } from '#kit/me.ts'
import { usePageQuery } from '#kit/page.tsx'
import { ScreenSettings } from './screen-settings.tsx'

/** Settings of a site's wall, with device positions on the plan. */
export default function SiteSettingPage() {
  const chosen = useProjectCode()
  const projectCode = usePageQuery().get('projectCode') ?? (chosen === '*' ? undefined : chosen)
  return <ScreenSettings whose={projectCode ? { projectCode } : {}} />
}

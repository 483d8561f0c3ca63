import { withBase } from 'vitepress';
import { type Component, defineComponent, h, onMounted, onUnmounted, ref } from 'vue';

/** The live run of an example, which exists in browsers alone. */
export const GalleryRun: Component = defineComponent({
  props: { name: { type: String, required: true } },
  setup({ name }) {
    const root = ref<HTMLElement>();
    // Whoever leaves the page leaves its run too.
    let end = (): void => undefined;
    onUnmounted(() => end());
    onMounted(async () => {
      const { mountGalleryRun } = await import('../gallery/page.ts');
      if (root.value !== undefined) end = mountGalleryRun(root.value, name, new URL(withBase('/made/gallery/data/'), location.href).href);
    });
    return () => h('div', { class: 'tf-gallery-run', ref: root }, [h('p', {}, 'Running it needs JavaScript and a browser with WebAssembly.')]);
  },
});
